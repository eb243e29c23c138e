"""Answers to clients about presence, targets and jobs."""

import pytest

from salt_g.cache.embedded_store import EmbeddedStore
from salt_g.cache.jobs import Jobs
from salt_g.errors import TargetError
from salt_g.master.calls.client_queries import ClientQueries
from salt_g.master.publishing.target_resolution import ResolvedTarget

JID = "20260102030405678901"
MANAGED = {"d-1": "gw1", "d-2": "gw2", "d-3": "gw3"}


class Presence:
    """Presence in which gw1 and m1 are connected; others that have not answered are gone."""

    def connected(self):
        return {"gw1", "m1"}

    def gone(self, ids, answered):
        return set(ids) - self.connected() - set(answered)

    def moving(self, ids):
        return {"gw3"}.intersection(ids)


class Resources:
    """d-1 is managed by gw1, d-2 by gw2."""

    def minions_of(self, names):
        return {name: MANAGED.get(name, name) for name in names}


class Targets:
    """Targets that resolve to their own words."""

    def resolve_all(self, tgt, tgt_type, *, delimiter):
        if tgt_type == "odd":
            raise TargetError("target type 'odd' does not exist")
        return ResolvedTarget([str(tgt), tgt_type, delimiter], ["missing"])


@pytest.fixture
def jobs(tmp_path):
    with EmbeddedStore(str(tmp_path)) as store:
        yield Jobs(store)


class Known:
    """Fake facts about silent minions."""

    def of(self, jid, ids):
        return {id: {"connected": False, "heard": 1.0, "received": None, "step": None} for id in ids}


@pytest.fixture
def ask(jobs):
    """Return a function that returns the answer to a query."""
    queries = ClientQueries(
        presence=Presence(),
        resources=Resources(),
        expected=Targets(),
        jobs=jobs,
        steps=lambda jid: {"m1": {"total": 2, "done": [], "now": None}} if jid == JID else {},
        absences=Known(),
    )
    return lambda name, **load: queries.commands()[name](load)


@pytest.mark.parametrize("load", [{}, {"ids": None}, {"ids": "m1"}])
def test_without_ids_only_the_connected_are_reported(ask, load):
    assert ask("presence", **load) == {"connected": ["gw1", "m1"], "gone": []}


def test_a_resource_is_where_its_minion_is(ask):
    result = ask("presence", ids=["d-1", "d-2", "m1", "m2"], jid=JID)

    assert result == {"connected": ["d-1", "gw1", "m1"], "gone": ["d-2", "m2"]}


def test_the_return_of_a_resource_shows_that_its_minion_is_there(ask, jobs):
    jobs.save_load(JID, {"jid": JID, "fun": "test.ping"}, ["d-2", "gw2"]).result(30)
    jobs.save_return({"jid": JID, "id": "d-2", "return": True}).result(30)

    assert ask("presence", ids=["d-2", "gw2", "m2"], jid=JID)["gone"] == ["m2"]


def test_minions_on_their_way_to_another_master_are_reported_unless_they_have_answered(ask, jobs):
    assert ask("presence", ids=["d-1", "d-3"], jid=JID)["moving"] == ["d-3"]

    jobs.save_load(JID, {"jid": JID, "fun": "test.ping"}, ["d-3", "gw3"]).result(30)
    jobs.save_return({"jid": JID, "id": "gw3", "return": True}).result(30)

    assert "moving" not in ask("presence", ids=["d-1", "d-3"], jid=JID)


def test_a_target_is_a_glob_with_the_usual_delimiter_unless_it_says_more(ask):
    assert ask("expected", tgt="*") == {"minions": ["*", "glob", ":"], "missing": ["missing"]}
    assert ask("expected", tgt="a|b", tgt_type="grain", delimiter="|")["minions"] == ["a|b", "grain", "|"]


def test_a_target_that_is_wrong_is_an_answer(ask):
    assert ask("expected", tgt="*", tgt_type="odd") == {"error": "target type 'odd' does not exist"}


def test_a_job_is_reported_with_its_returns_and_an_unknown_one_is_empty(ask, jobs):
    jobs.save_load(JID, {"jid": JID, "fun": "test.ping"}, ["m1"]).result(30)
    jobs.save_return({"jid": JID, "id": "m1", "return": True}).result(30)

    result = ask("job", jid=JID)

    assert result["load"]["fun"] == "test.ping"
    assert result["returns"]["m1"]["return"] is True
    assert ask("job", jid=JID[:-1] + "2")["returns"] == ask("job")["returns"] == {}


def test_live_steps_of_a_job_are_reported(ask):
    assert ask("steps", jid=JID) == {"m1": {"total": 2, "done": [], "now": None}}
    assert ask("steps", jid="20260102030405678902") == {}


def test_facts_about_silent_minions_are_returned_by_id(ask):
    assert ask("absences", jid=JID, ids=["m2"]) == {
        "m2": {"connected": False, "heard": 1.0, "received": None, "step": None}
    }
    assert ask("absences", jid=JID, ids="m2") == {}

"""Commands of users for rollouts."""

import contextlib

import pytest

from salt_g.errors import ClientError
from salt_g.master.calls.authorization import CommandCaller, NotAuthorized
from salt_g.master.rollouts.rollout_commands import RolloutCommands

LOAD = {
    "cmd": "rollout",
    "fun": "state.apply",
    "arg": ["web"],
    "tgt": "*",
    "rules": {"waves": ["1", "100%"], "timeout": 0.2},
    "kwargs": {"metadata": {"a": 1}, "token": "t"},
}
ANN, BOB, ROOT = (CommandCaller(name) for name in ("ann", "bob", "root"))


class House:
    """The commands of a master; `applied` are the applied plans."""

    def __init__(self, master):
        self.master, self.applied, self.targets = master, [], {"*": ["a", "b", "c", "d"]}
        self._commands = RolloutCommands(
            master.authorization,
            master.rollouts,
            jobs=master.jobs,
            resolve=lambda tgt, kind, delimiter: tgt if isinstance(tgt, list) else self.targets.get(tgt, []),
            apply_plan=self.apply_plan,
            despite=lambda load, caller: ["1f0c3a9b"],
        ).commands()

    @contextlib.contextmanager
    def apply_plan(self, load, caller, jid):
        self.applied.append(load["fun"])
        try:
            yield "state.apply_plan", [load["fun"]], ["a", "b", "x"]
        except ClientError:
            self.applied.remove(load["fun"])
            raise

    def __call__(self, name, caller=ANN, **load):
        return self._commands[name](load, caller)

    def start(self, caller=ANN, **more):
        return self("rollout", caller, **{**LOAD, **more})


@pytest.fixture
def house(master):
    return House(master)


def test_it_begins_with_the_tag_of_its_events(house, master):
    result = house.start()

    assert result["tag"] == f"salt/rollout/{result['jid']}"
    assert master.ended(result["jid"])["user"] == "ann"
    noted = master.kept["noted"]
    assert (noted["extra"], noted["despite"], noted["owner"]) == ({"metadata": {"a": 1}}, ["1f0c3a9b"], "ann")


@pytest.mark.parametrize(
    ("more", "why"),
    [
        ({"rules": None}, "rules of a rollout must be a mapping"),
        ({"arg": "web"}, "needs arg (a list)"),
        ({"tgt": "nobody"}, "No minions matched"),
        ({"fun": "cmd.run", "rules": {"waves": ["1"], "undo": True}}, "--undo reverts state runs"),
        ({"fun": "7f3a91", "tgt": ["d"]}, "has no part"),
    ],
    ids=str,
)
def test_a_rollout_that_cannot_begin_is_refused_with_an_explanation(house, more, why):
    assert why in house.start(**more)["error"]
    assert (house.applied, house.master.sent) == ([], [])


@pytest.mark.parametrize("forbidden", ["state.apply", "service.status", "state.undo"])
def test_the_rights_to_job_checks_and_undo_are_asked_before(house, master, forbidden):
    master.authorization.forbidden = {forbidden}
    rules = {"waves": ["1"], "checks": [["service.status", ["x"]]], "undo": True}

    with pytest.raises(NotAuthorized):
        house.start(rules=rules)


def test_a_plan_is_applied_to_its_minions_of_the_target(house, master):
    jid = house.start(fun="7f3a91", arg=[])["jid"]

    assert master.ended(jid)["target"] == ["a", "b"]
    assert (house.applied, sorted(master.jobs_of("state.apply_plan"))) == (["7f3a91"], [["a"], ["b"]])


def test_users_see_and_steer_their_own_and_those_with_rights_all(house, master):
    jid = house.start()["jid"]
    master.ended(jid)

    assert [one["jid"] for one in house("rollout_list")["rollouts"]] == [jid]
    assert [one["jid"] for one in house("rollout_list", ROOT)["rollouts"]] == [jid]
    assert house("rollout_list", BOB)["rollouts"] == []
    for caller in (ANN, ROOT):
        assert house("rollout_status", caller, jid=jid)["rollout"]["state"] == "done"
        assert house("rollout_order", caller, jid=jid, order="stop") == {"ordered": False}
    for name in ("rollout_status", "rollout_order"):
        with pytest.raises(NotAuthorized):
            house(name, BOB, jid=jid, order="stop")
    with pytest.raises(NotAuthorized):
        house("rollout_status", ANN, jid="1")


def test_an_unknown_order_is_refused_in_words(house):
    assert "pause, resume, stop" in house("rollout_order", jid="1", order="faster")["error"]

import pytest

from salt_g.errors import CommandExecutionError, PlanRefused
from salt_g.state.plan import document as documents
from salt_g.state.plan.digests import Digests
from salt_g.state.plan.document import LIFETIME, check
from tests.support.planned_states import DIFF, LOW, TAG, would


def test_a_document_has_each_chunk_pillar_by_key_and_files(make):
    made = make({TAG: would({"diff": DIFF})}, pillar={"port": 80}, files={"salt://x": "abc"})

    (chunk,) = made["chunks"]
    assert (chunk["fun"], chunk["name"], chunk["verdict"], chunk["shown"]) == (
        "file.managed",
        "/x",
        "change",
        "+1 -1",
    )
    assert len(chunk["leaves"]) == 2
    assert list(made["pillar"]) == ["port"]
    assert list(made["files"]) == ["salt://x"]
    assert made["until"] - made["made"] == LIFETIME


def test_a_plan_is_valid_for_its_machine_name_form_version_and_time(make, digests):
    made = make({TAG: would()})

    check(made, digests, id="web7")
    for changed, result in (
        ({"form": 1}, "this is"),
        ({"version": "0.0.1"}, "was made by salt-g 0.0.1"),
        ({"until": made["until"] + 1}, "was edited"),
    ):
        with pytest.raises(PlanRefused, match=result):
            check({**made, **changed}, digests, id="web7")
    with pytest.raises(PlanRefused, match="web8: not applied, the plan was made for web7"):
        check(made, digests, id="web8")
    with pytest.raises(PlanRefused, match="was not made by this machine"):
        check(made, Digests(b"o" * 32), id="web7")
    with pytest.raises(PlanRefused, match="the plan expired"):
        check(made, digests, id="web7", now=made["until"] + 1)


def test_hidden_returns_are_compared_and_the_masked_ones_are_not(make):
    low = {TAG: {**LOW, "no_log": True}}
    masked = {TAG: would({"a": "***"})}
    one, other = (make(masked, lows=low, hidden={TAG: would({"a": value})}) for value in "xy")

    assert one["chunks"][0]["outcome"] != other["chunks"][0]["outcome"]
    assert one["chunks"][0]["shown"] == "(no_log)"


def test_a_hidden_command_has_no_name(make):
    tag = "cmd_|-x_|-echo private_|-run"
    low = {**LOW, "state": "cmd", "fun": "run", "no_log": True}

    (chunk,) = make({tag: would()}, lows={tag: low})["chunks"]

    assert (chunk["name"], chunk["opaque"], chunk["shown"]) == ("(no_log)", "runs (no_log)", "(no_log)")


def test_changes_of_many_parts_are_compared_as_a_whole(make):
    (chunk,) = make({TAG: would({str(number): number for number in range(3000)})})["chunks"]

    assert chunk["leaves"] is None


def test_a_document_that_is_too_large_is_refused(make, monkeypatch):
    monkeypatch.setattr(documents, "MAX_BYTES", 100)

    with pytest.raises(CommandExecutionError, match="plan fewer states at once"):
        make({TAG: would()})


def test_the_comment_counts_where_a_state_does_not_report_its_changes(make):
    def outcome(changes, comment, result=None):
        return make({TAG: would(changes, result, comment)})["chunks"][0]["outcome"]

    for changes in ({}, {"would change": True}):
        assert outcome(changes, "set to start") != outcome(changes, "set to be disabled")
    assert outcome({"diff": DIFF}, "one") == outcome({"diff": DIFF}, "other")
    assert outcome({}, "one", True) == outcome({}, "other", True)


def test_a_chunk_names_those_on_which_its_changes_depend(make, digests):
    other = TAG.replace("conf", "other")
    (chunk,) = make({TAG: would({"diff": DIFF})}, after={TAG: [other]})["chunks"]

    assert chunk["after"] == [digests.of(other)]
    assert chunk["shown"] == "+1 -1, may differ after other"

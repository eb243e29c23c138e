"""Explanations: the verdict in words, and its causes."""

import pytest

from salt_g.state.run.explanation import explanation
from salt_g.state.run.requisites import RequisiteVerdict, requisite_verdict

OK = {"result": True, "changes": {}, "comment": ""}
CHANGED = {**OK, "changes": {"a": 1}}
FAILED = {**OK, "result": False}
PREVIEW = {**OK, "result": None}
NOT_RUN = {**OK, "__state_ran__": False}


def low(name, state="file"):
    return {"state": state, "fun": "managed", "__id__": name, "name": name}


def explained(found, ret=OK):
    return explanation(found, requisite_verdict(found), ret)


@pytest.mark.parametrize(
    ("found", "verdict", "because"),
    [
        (
            {"require": [(low("a"), OK), (low("b"), FAILED)]},
            "fail: a required state failed",
            ["require file b: failed"],
        ),
        (
            {"onchanges": [(low("a"), OK)], "require": [(low("b"), CHANGED)]},
            "skip: no onchanges target changed",
            ["onchanges file a: no changes"],
        ),
        ({"onchanges": [(low("a"), CHANGED)]}, "run", ["onchanges file a: changed"]),
        (
            {"onchanges": [(low("a"), NOT_RUN)]},
            "skip: no onchanges target changed",
            ["onchanges file a: not run"],
        ),
        ({"onfail": [(low("a"), OK)]}, "skip: no onfail target failed", ["onfail file a: no changes"]),
        (
            {"prereq": [(low("a"), OK)]},
            "skip: the prereq target would not change",
            ["prereq file a: no changes"],
        ),
        ({"prereq": [(low("a"), PREVIEW)]}, "run", ["prereq file a: would change"]),
        ({"watch": [(low("a"), CHANGED), (low("b"), OK)]}, "run, then mod_watch", ["watch file a: changed"]),
        ({"require": [(low("a"), OK)]}, "run", []),
    ],
)
def test_the_targets_that_decided_are_named(found, verdict, because):
    made = explained(found)

    assert (made["verdict"], made["because"]) == (verdict, because)
    assert len(made["requisites"]) == sum(map(len, found.values()))


def test_a_state_of_its_own_needs_no_reason():
    assert explained({}) == {"verdict": "run: it depends on nothing", "because": [], "requisites": []}


def test_a_condition_of_the_state_itself_decides():
    skipped = {**OK, "comment": "unless condition is true", "skip_watch": True}

    made = explained({"require": [(low("a"), OK)]}, skipped)

    assert (made["verdict"], made["because"]) == (
        "skip: a condition of its own",
        ["unless condition is true"],
    )


def test_each_verdict_has_its_decisive_outcomes():
    for verdict in RequisiteVerdict:
        assert explanation({}, verdict, OK)["verdict"]


def test_conditions_of_a_state_that_is_skipped_are_named_without_passwords():
    skipped = {**OK, "skip_watch": True, "comment": "unless condition is true"}
    chunk = {**low("a"), "unless": ["test -d /", "mysql --password=hunter2", {"fun": "test.true"}]}

    result = explanation({}, requisite_verdict({}), skipped, chunk)["because"]

    assert result[:2] == ["unless condition is true", "unless: test -d /"]
    assert result[3] == "unless: test.true"
    assert "hunter2" not in f"{result}"
    hidden = explanation({}, requisite_verdict({}), skipped, {**chunk, "no_log": True})
    assert hidden["because"] == ["unless condition is true"]


def test_a_state_that_ends_the_run_is_explained():
    result = explanation({}, requisite_verdict({}), FAILED, low("a"), ends_run=True)

    assert result["because"] == ["failhard: the run ends here, later states do not run"]

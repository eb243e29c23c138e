"""Runs that make and apply plans, over trees of plain data."""

import pytest

from salt_g import api
from salt_g.errors import PlanRefused
from salt_g.state.plan.runs import Applying, Recording
from tests.support.planned_states import LOW, would

WEB = {"one": "mine.change", "two": {"mine.same": [{"require": [{"mine": "one"}]}]}}


class Machine:
    """Target of the states of `mine`: `value` becomes 1; `called` are their calls outside of test mode."""

    def __init__(self):
        self.value, self.called, self.extra = 0, [], False

    def change(self, name):
        is_test = bool(api.opts.get("test"))
        changes = {"value": {"old": self.value, "new": 1}} if self.value != 1 else {}
        if changes and not is_test:
            self.called.append(name)
            self.value = 1
        return {
            "name": name,
            "result": None if changes and is_test else True,
            "changes": changes,
            "comment": "",
        }

    def same(self, name):
        if self.extra and self.value:
            return {"name": name, "result": None, "changes": {"more": "x"}, "comment": ""}
        return {"name": name, "result": True, "changes": {}, "comment": ""}


@pytest.fixture
def machine():
    return Machine()


@pytest.fixture
def engine(state_engine, machine):
    states = {"mine.change": machine.change, "mine.same": machine.same}
    return lambda tree=WEB: state_engine({"web": tree}, states=states, opts={"test": True})


@pytest.fixture
def save(engine, digests):
    """Make a plan of the SLS `web`; return its document."""

    def run(tree=WEB):
        made = engine(tree)
        made.plan = Recording(digests, plan="7f3a91", id="web7")
        recording = made.plan
        made.apply_sls(["web"])
        return recording.document({"salt://web.sls": "digest"})

    return run


@pytest.fixture
def apply(engine, digests):
    """Apply a plan; return the results."""

    def run(document, tree=WEB, used=None):
        made = engine(tree)
        made.plan = Applying(digests, document, id="web7")
        used = {"salt://web.sls": "digest"} if used is None else used
        made.plan.use(api.services().files, used)
        return made.apply_sls(["web"])

    return run


def test_a_plan_is_applied_after_a_pass_in_test_mode(machine, save, apply):
    document = save()
    assert machine.value == 0

    running = apply(document)

    assert machine.called == ["one"]
    assert [ret["result"] for ret in running.values()] == [True, True]
    assert [chunk["verdict"] for chunk in document["chunks"]] == ["change", "same"]


def test_other_changes_other_arguments_and_other_files_are_refused(machine, save, apply):
    document = save()

    machine.value = 2
    with pytest.raises(
        PlanRefused, match="1 of 2 differ: mine.change one planned value 0→1".replace("0", "none")
    ):
        apply(document)
    machine.value = 0
    with pytest.raises(PlanRefused, match="mine.change three is not in the plan"):
        apply(document, {**WEB, "three": "mine.change"})
    with pytest.raises(PlanRefused, match="it is not as planned: salt://web.sls has changed"):
        apply(document, used={"salt://web.sls": "other"})
    with pytest.raises(PlanRefused, match=r"salt://web.sls is no longer used"):
        apply(document, used={})
    assert machine.called == []


def test_the_run_ends_where_something_wants_more(machine, save, apply):
    document = save({**WEB, "last": {"mine.change": [{"require": [{"mine": "one"}]}]}})
    machine.extra = True

    running = apply(document, {**WEB, "last": {"mine.change": [{"require": [{"mine": "one"}]}]}})

    two = running["mine_|-two_|-two_|-same"]
    assert two["result"] is False
    assert "planned nothing, now more: x" in two["comment"]
    assert machine.called == ["one"]


def test_nothing_that_ran_is_no_plan(digests):
    assert Recording(digests, plan="x", id="web7").document({}) is None


def test_commands_have_to_be_accepted(make, digests):
    tag = "cmd_|-x_|-true_|-run"
    document = make({tag: would()}, lows={tag: {**LOW, "state": "cmd", "fun": "run"}})

    with pytest.raises(PlanRefused, match=r"1 of 1 cannot report what they change \(runs true\)"):
        Applying(digests, document, id="web7")
    Applying(digests, document, id="web7", accept_opaque=True)

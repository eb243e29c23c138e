import pytest
from unit.state.plan.conftest import DIFF, LOW, TAG, would

from salt_g.state.plan.guard import Guard, GuardedCaller, NotingCaller, tag_of


@pytest.fixture
def guard_of(make, digests):
    return lambda planned: Guard(make({TAG: planned}), digests)


def test_as_much_as_planned_or_less_is_allowed(guard_of):
    guard = guard_of(would({"diff": DIFF}))

    assert guard.excess(LOW, would({"diff": DIFF})) == ""
    assert guard.excess(LOW, would({}, result=True)) == ""
    assert guard.excess(LOW, would({"diff": DIFF.replace("-b\n", "")})) == ""
    assert guard.may_run("any")


def test_a_state_that_does_not_tell_its_changes_may_make_them(guard_of):
    assert guard_of(would({"would change": True})).excess(LOW, would({})) == ""


@pytest.mark.parametrize(
    ("planned", "seen", "told"),
    [
        (would({"diff": DIFF}), would({"diff": DIFF + "+c\n"}), "/x planned +1 -1, now +2 -1"),
        (would({}, result=True), would({"diff": DIFF}), "/x planned nothing, now +1 -1"),
        (would({}, result=False, comment="no"), would({"a": "b"}), "/x planned fails: no, now a: b"),
    ],
)
def test_more_than_planned_ends_the_run(guard_of, planned, seen, told):
    guard = guard_of(planned)

    assert guard.excess(LOW, seen) == told
    assert not guard.may_run("any")


def test_a_chunk_that_the_plan_lacks_may_change_nothing(guard_of):
    guard = guard_of(would())
    other = {**LOW, "name": "/y"}

    assert guard.excess(other, would({}, result=True)) == ""
    assert guard.excess(other, would({"newfile": "/y"})) == "/y planned nothing, now new file"


def test_a_mod_watch_belongs_to_its_chunk():
    assert tag_of({**LOW, "fun": "mod_watch", "sfun": "managed", "__reqs__": {}}) == TAG


@pytest.fixture
def states(call_context):
    """A call in which `file.managed` tells whether it was called for real."""
    from salt_g import api

    calls = []

    def managed(name):
        calls.append(bool(api.opts.get("test")))
        return would({"newfile": name}, result=None if api.opts.get("test") else True)

    context = call_context(states={"file.managed": managed})
    return context, calls


def test_planned_chunks_are_asked_and_called_others_only_asked(states, guard_of):
    context, calls = states
    caller = GuardedCaller(context, guard=guard_of(would({"newfile": "/x"})))
    assert caller.call(LOW, running={}).ret["result"] is True
    assert calls == [True, False]

    calls.clear()
    caller = GuardedCaller(context, guard=guard_of(would({}, result=True)))
    ended = caller.call(LOW, running={}).ret
    assert ended["result"] is False
    assert ended["comment"] == (
        "Not called, it would change more than planned: /x planned nothing, now new file. The run ends here"
    )
    assert calls == [True]


def test_what_would_change_and_does_not_tell_what_has_changes(call_context):
    """Otherwise its onchanges would be planned as quiet, and end the run."""
    context = call_context(states={"file.managed": lambda name: would({})})

    assert NotingCaller(context, needs={}).call(LOW, running={}).ret["changes"] == {"would change": True}


def test_returns_of_hidden_chunks_are_noted(states):
    context, _ = states
    caller = NotingCaller(context, needs={})
    caller.call(LOW, running={})
    caller.call({**LOW, "no_log": True}, running={})

    assert list(caller.hidden) == [TAG]

import pytest

from salt_g.state.plan.guard import Guard, GuardedCaller, NotingCaller, tag_of
from tests.support.planned_states import DIFF, LOW, TAG, would


@pytest.fixture
def guard_of(make, digests):
    return lambda planned: Guard(make({TAG: planned}), digests)


def test_as_much_as_planned_or_less_is_allowed(guard_of):
    guard = guard_of(would({"diff": DIFF}))

    assert guard.excess(LOW, would({"diff": DIFF})) == ""
    assert guard.excess(LOW, would({}, result=True)) == ""
    assert guard.excess(LOW, would({"diff": DIFF.replace("-b\n", "")})) == ""
    assert guard.may_run("any")


def test_a_state_that_does_not_report_its_changes_may_make_them(guard_of):
    assert guard_of(would({"would change": True})).excess(LOW, would({})) == ""


@pytest.mark.parametrize(
    ("planned", "seen", "expected"),
    [
        (would({"diff": DIFF}), would({"diff": DIFF + "+c\n"}), "/x planned +1 -1, now +2 -1"),
        (would({}, result=True), would({"diff": DIFF}), "/x planned nothing, now +1 -1"),
        (would({}, result=False, comment="no"), would({"a": "b"}), "/x planned fails: no, now a: b"),
    ],
)
def test_more_than_planned_ends_the_run(guard_of, planned, seen, expected):
    guard = guard_of(planned)

    assert guard.excess(LOW, seen) == expected
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
    """Return a call in which `file.managed` records whether it was called for real."""
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


def test_a_pending_change_without_details_counts_as_changes(call_context):
    """Otherwise its onchanges would be planned as not triggered, and stop the run."""
    context = call_context(states={"file.managed": lambda name: would({})})

    assert NotingCaller(context, needs={}).call(LOW, running={}).ret["changes"] == {"would change": True}


def test_mod_plan_completes_the_changes_that_a_state_does_not_report(call_context, guard_of):
    """This detects a manual change in between: the state's test-mode output alone is the same."""
    now = ["dead"]
    context = call_context(
        states={
            "file.managed": lambda name: would({}),
            "file.mod_plan": lambda name, fun: {name: {"old": now[0], "new": fun}},
        }
    )

    planned = NotingCaller(context, needs={}).call(LOW, running={}).ret
    assert planned["changes"] == {"/x": {"old": "dead", "new": "managed"}}
    guard = guard_of(planned)
    GuardedCaller(context, guard=guard).call(LOW, running={})
    assert not guard.is_over

    now[0] = "enabled"
    GuardedCaller(context, guard=guard).call(LOW, running={})
    assert guard.is_over


def test_a_change_that_mod_plan_could_not_foresee_is_allowed(call_context, guard_of):
    """Like a service whose unit file is installed in the same run."""
    found = []
    context = call_context(
        states={
            "file.managed": lambda name: would({}),
            "file.mod_plan": lambda name, fun: {name: fun} if found else {},
        }
    )
    guard = guard_of(NotingCaller(context, needs={}).call(LOW, running={}).ret)

    found.append("unit")
    GuardedCaller(context, guard=guard).call(LOW, running={})

    assert not guard.is_over


def test_a_failing_mod_plan_leaves_the_return_unchanged(call_context):
    def mod_plan(name, fun):
        raise OSError("nobody knows")

    context = call_context(states={"file.managed": lambda name: would({}), "file.mod_plan": mod_plan})

    assert NotingCaller(context, needs={}).call(LOW, running={}).ret["changes"] == {"would change": True}


def test_returns_of_hidden_chunks_are_noted(states):
    context, _ = states
    caller = NotingCaller(context, needs={})
    caller.call(LOW, running={})
    caller.call({**LOW, "no_log": True}, running={})

    assert list(caller.hidden) == [TAG]


@pytest.fixture
def noting(call_context):
    """Return a function that calls `file.managed` with these returns.

    It returns the caller and the results of the calls.
    """

    def make(*returns, needs=None, names=("/x", "/x")):
        left = list(returns)
        states = {"file.managed": lambda name: left.pop(0), "pkg.installed": lambda name: left.pop(0)}
        caller = NotingCaller(call_context(states=states), needs=needs or {})
        lows = [{**LOW, "__id__": id, "name": name} for id, name in zip("ab", names, strict=True)]
        return caller, [caller.call(low, running={}).ret for low in lows]

    return make


@pytest.mark.parametrize("result", [True, False])
def test_a_state_that_depends_on_an_earlier_one_counts_as_changed(noting, result):
    caller, (_, second) = noting(would({"newfile": "/x"}), would({}, result=result, comment="no\nmore"))

    assert second["result"] is None
    assert second["changes"] == {"would change": "after others"}
    assert second["comment"] == "Known only after a has run; now: no"
    assert caller.after == {"file_|-b_|-/x_|-managed": ["file_|-a_|-/x_|-managed"]}


def test_changes_that_an_earlier_state_decides_are_kept_and_would_happen(noting):
    caller, (_, second) = noting(would({"newfile": "/x"}), would({"new": "/x"}, result=True))

    assert (second["result"], second["changes"]) == (None, {"new": "/x"})
    assert list(caller.after) == ["file_|-b_|-/x_|-managed"]


def test_a_package_counts_also_through_a_file_that_stays_as_it_is(call_context):
    returns = {
        "nginx": would({"nginx": {"new": "1"}}),
        "/x": would({}, result=True),
        "/y": would({"diff": "+1"}),
    }
    states = {name: lambda name: returns[name] for name in ("file.managed", "pkg.installed")}
    lows = [
        {**LOW, "__id__": "a", "name": "nginx", "state": "pkg", "fun": "installed"},
        {**LOW, "__id__": "b", "name": "/x"},
        {**LOW, "__id__": "c", "name": "/y"},
    ]
    tags = list(map(tag_of, lows))
    needs = {tags[1]: {tags[0]: ["require"]}, tags[2]: {tags[1]: ["require"]}}
    caller = NotingCaller(call_context(states=states), needs=needs)

    for low in lows:
        caller.call(low, running={})

    assert caller.after == {tags[2]: tags[:1]}


def test_a_state_of_another_path_stays_as_it_is(noting):
    caller, (_, second) = noting(would({"newfile": "/x"}), would({}, result=True), names=("/x", "/y"))

    assert second == would({}, result=True)
    assert caller.after == {}


@pytest.mark.parametrize(
    ("kind", "results", "after"),
    [
        ("onfail", {"c": None}, ["c"]),
        ("onfail", {"c": None, "d": False}, []),
        ("onfail_any", {"c": False}, []),
        ("onfail_all", {"c": None, "d": False}, ["c"]),
        ("onfail", {"c": True, "d": None}, ["d"]),
        ("require", {"c": None}, []),
    ],
)
def test_a_state_that_runs_only_if_others_fail_is_known_after_them(call_context, kind, results, after):
    """Test mode runs it, because a state that would change has not succeeded."""
    context = call_context(states={"file.managed": lambda name: would({}, result=False, comment="no")})
    tags = {id: f"file_|-{id}_|-/{id}_|-managed" for id in results}
    caller = NotingCaller(context, needs={TAG: {tag: [kind] for tag in tags.values()}})

    ret = caller.call(LOW, running={tags[id]: would({}, result=result) for id, result in results.items()}).ret

    assert caller.after.get(TAG, []) == [tags[id] for id in after]
    assert ret["result"] is (None if after else False)


def test_a_state_with_dependencies_may_differ_unless_one_of_them_failed(make, digests):
    first = {**LOW, "__id__": "first"}
    tags = ["file_|-first_|-/x_|-managed", TAG]
    planned = {tag: would({"diff": DIFF}) for tag in tags}
    lows = dict(zip(tags, (first, LOW), strict=True))
    other = would({"diff": DIFF.replace("B", "C")})
    document = make(planned, lows=lows, after={TAG: tags[:1]})
    guard = Guard(document, digests)

    assert guard.excess(LOW, other) == ""
    guard.note(document["chunks"][0], would({}, result=False))

    assert guard.excess(LOW, other) == "/x planned +1 -1, may differ after first, now +1 -1"
    assert not guard.may_run("any")

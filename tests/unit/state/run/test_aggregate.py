"""Grouping of chunks that one call may handle together."""

import logging

import pytest

from salt_g.shapes.aggregation import is_aggregated
from salt_g.state.compile.node import Node
from salt_g.state.run.aggregate import (
    GROUP_SIZE,
    aggregated,
    group_nodes,
    groups_first,
    may_aggregate,
    needs_of,
)


def node(tag, *, module="pkg", needs=(), joins=True):
    made = Node({"state": module, "__id__": tag}, tag=tag, may_aggregate=joins)
    for other in needs:
        made.need(other, "require")
    return made


def grouped(*ordered):
    """Return the tags of each group, in order of their first node."""
    groups = dict.fromkeys(group_nodes(ordered).values())
    return ["".join(member.tag for member in group.nodes) for group in groups]


def test_independent_chunks_of_one_module_form_one_group():
    assert grouped(node("a"), node("b"), node("c", module="pip"), node("d")) == ["abd", "c"]


def test_a_chunk_never_joins_a_group_that_it_waits_for():
    a = node("a")
    b = node("b", needs=[a])

    assert grouped(a, b, node("c")) == ["ac", "b"]


def test_waiting_over_another_chunk_counts_as_well():
    a = node("a")
    between = node("x", module="file", needs=[a], joins=False)

    assert grouped(a, between, node("b", needs=[between])) == ["a", "b"]


def test_waiting_for_any_member_is_waiting_for_the_whole_group():
    x = node("x", module="pip")
    a = node("a")
    b = node("b", needs=[x])
    y = node("y", module="pip", needs=[a])

    assert grouped(x, a, b, y) == ["x", "ab", "y"]


def test_chunks_that_may_not_join_have_no_group():
    assert group_nodes([node("a", joins=False)]) == {}


def test_a_group_has_a_limit():
    groups = grouped(*(node("a") for _ in range(GROUP_SIZE + 1)))

    assert [len(group) for group in groups] == [GROUP_SIZE, 1]


@pytest.mark.parametrize(
    ("own", "option", "expected"),
    [
        ({}, True, True),
        ({}, ["pkg"], True),
        ({}, ["pip"], False),
        ({}, None, False),
        ({}, "pkg", False),
        ({"aggregate": False}, True, False),
        ({"aggregate": True}, False, True),
        ({"aggregate": ["pkg"]}, False, True),
    ],
)
def test_the_chunk_decides_before_the_setting(own, option, expected):
    low = {"state": "pkg", **own}

    assert may_aggregate(low, option, lambda module: True) is expected
    assert may_aggregate(low, option, lambda module: False) is False


def test_one_chunk_does_the_work_and_is_marked():
    first, second = node("a"), node("b")
    group = group_nodes([first, second])[first]
    seen = []

    def mod_aggregate(low, chunks, running):
        seen.append((low, chunks, running))
        return {**low, "pkgs": ["a", "b"]}

    merged = aggregated(first.low, group, mod_aggregate, {"t": {}})

    assert merged["pkgs"] == ["a", "b"]
    assert is_aggregated(merged)
    assert not is_aggregated(second.low)
    assert seen == [(first.low, [first.low, second.low], {"t": {}})]


def wrong_within(low, chunks, running):
    return len(low["order"])


@pytest.mark.parametrize(
    ("function", "reason", "place"),
    [
        (lambda low: {}, "takes 1 positional argument but 3 were given", "in aggregated"),
        (wrong_within, "object of type 'int' has no len()", "in wrong_within"),
    ],
)
def test_a_function_that_fails_leaves_the_chunk_as_it_is_and_is_named(caplog, function, reason, place):
    only = node("a")
    only.low["order"] = 1

    with caplog.at_level(logging.ERROR):
        assert aggregated(only.low, group_nodes([only])[only], function, {}) is only.low

    (message,) = caplog.messages
    assert message.startswith("pkg: mod_aggregate(low, chunks, running) failed, its states run one by one: ")
    assert message.endswith(reason)
    assert place in caplog.text


def test_a_requisite_on_one_of_a_group_is_on_all_of_it():
    a, b, other = node("a"), node("b"), node("z", module="file", joins=False)
    needing = node("x", module="file", needs=[a, other], joins=False)
    groups = group_nodes([a, b, other, needing])

    assert list(needs_of(needing, groups)) == [
        (a, ["require"]),
        (other, ["require"]),
        (a, ["require"]),
        (b, ["require"]),
    ]
    assert list(needs_of(needing, {})) == [(a, ["require"]), (other, ["require"])]


def test_of_several_groups_the_one_that_became_a_group_first_is_needed_first():
    first, second, third = node("first"), node("second", module="pip"), node("third", module="pip")
    needing = node("x", module="file", needs=[first, second], joins=False)
    last = node("last")
    groups = group_nodes([first, second, third, needing, last])

    needed = [one for one, _ in needs_of(needing, groups)]

    assert needed == [first, second, second, third, first, last]


def test_a_group_of_one_needs_nothing_more():
    a = node("a")
    needing = node("x", module="file", needs=[a], joins=False)

    assert list(needs_of(needing, group_nodes([a, needing]))) == [(a, ["require"])]


def test_the_rest_of_a_group_comes_before_what_needs_one_of_it():
    a, u = node("a"), node("u", module="file", joins=False)
    needing = node("x", module="file", needs=[a], joins=False)
    b = node("b", needs=[u])
    ordered = [a, needing, u, b]

    assert groups_first(ordered, group_nodes(ordered)) == [a, u, b, needing]


def test_chunks_of_one_module_are_called_together(state_engine):
    calls = []

    def install(name, pkgs=None):
        calls.append(pkgs or [name])
        return {"name": name, "changes": {}, "result": True, "comment": ""}

    def together(low, chunks, running):
        return {**low, "pkgs": [chunk["name"] for chunk in chunks]}

    engine = state_engine(
        {
            "a": {
                "x": "pkg.installed",
                "y": "pkg.installed",
                "z": {"pkg.installed": [{"require": [{"pkg": "x"}]}]},
            }
        },
        states={"pkg.installed": install, "pkg.mod_aggregate": together},
        opts={"state_aggregate": True},
    )

    engine.apply_sls(["a"])

    assert calls == [["x", "y"], ["x", "y"], ["z"]]


def test_packages_of_a_skipped_state_are_not_installed_by_its_group(state_engine):
    calls = []

    def install(name, pkgs=None):
        calls.append(pkgs or [name])
        return {"name": name, "changes": {}, "result": True, "comment": ""}

    def together(low, chunks, running):
        waiting = [chunk for chunk in chunks if not chunk.get("__agg__")]
        for chunk in waiting:
            chunk["__agg__"] = True
        return {**low, "pkgs": [low["name"], *(chunk["name"] for chunk in waiting)]}

    engine = state_engine(
        {
            "a": {
                "q": "test.nop",
                "x": {"pkg.installed": [{"onchanges": [{"test": "q"}]}]},
                "y": "pkg.installed",
                "z": "pkg.installed",
            }
        },
        states={"pkg.installed": install, "pkg.mod_aggregate": together},
        opts={"state_aggregate": True},
    )

    engine.apply_sls(["a"])

    assert calls == [["y"], ["z"]]


def test_listeners_run_in_the_order_that_states_have_without_groups(state_engine):
    def install(name):
        return {"name": name, "changes": {"new": name}, "result": True, "comment": ""}

    engine = state_engine(
        {
            "a": {
                "one": "pkg.installed",
                "early": {"test.nop": [{"require": [{"pkg": "one"}]}, {"listen": [{"pkg": "one"}]}]},
                "late": {"test.nop": [{"listen": [{"pkg": "one"}]}]},
                "two": {"pkg.installed": [{"require": [{"test": "late"}]}]},
            }
        },
        states={"pkg.installed": install, "pkg.mod_aggregate": lambda low, chunks, running: low},
        opts={"state_aggregate": True},
    )

    ran = [tag.split("_|-")[1] for tag in engine.apply_sls(["a"])]

    assert ran == ["one", "late", "two", "early", "listener_early", "listener_late"]

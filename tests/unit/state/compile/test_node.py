"""Edges of the graph, known to both of their nodes."""

from salt_g.state.compile.node import Node


def nodes(*tags):
    return [Node({"__id__": tag}, tag=tag) for tag in tags]


def test_both_ends_know_an_edge_and_its_kinds_once_each():
    first, second = nodes("a", "b")

    for kind in ("require", "watch", "require"):
        second.need(first, kind)

    assert second.needs == {first: ["require", "watch"]}
    assert first.wanted_by == {second: ["require", "watch"]}
    assert (first.needs, second.wanted_by) == ({}, {})


def test_an_edge_goes_with_its_last_kind():
    first, second = nodes("a", "b")
    second.need(first, "require")
    second.need(first, "watch")

    second.drop(first, "require")
    assert second.needs == {first: ["watch"]}
    assert first.wanted_by == {second: ["watch"]}

    second.drop(first, "watch")
    assert (second.needs, first.wanted_by) == ({}, {})


def test_nodes_of_equal_chunks_are_two_nodes():
    first, second = nodes("a", "a")

    assert len({first, second}) == 2


def test_a_preview_is_marked_in_its_repr():
    assert repr(Node({}, tag="t", is_preview=True)) == "<preview of t>"
    assert repr(Node({}, tag="t")) == "<t>"

"""The graph as text for graphviz."""

from salt_g.state.compile.node import Node
from salt_g.state.dot_graph import to_dot


def node(state_id, *, name=None, **options):
    low = {"state": "test", "fun": "nop", "__id__": state_id, "name": name or state_id}
    return Node(low, tag=f"test_|-{state_id}", **options)


def test_no_nodes_are_an_empty_graph():
    assert to_dot([]) == "digraph G {\n}"


def test_edges_lead_to_the_one_that_waits_with_a_line_for_each_kind():
    first, second = node("a"), node("b", name="other")
    second.need(first, "require")
    second.need(first, "watch")

    assert to_dot(iter([first, second])).splitlines() == [
        "digraph G {",
        '  "test_|-a" [label="test.nop\\na"];',
        '  "test_|-b" [label="test.nop\\nb\\n(other)"];',
        '  "test_|-a" -> "test_|-b" [label="require"];',
        '  "test_|-a" -> "test_|-b" [label="watch"];',
        "}",
    ]


def test_a_preview_is_a_dashed_node_of_its_own():
    assert to_dot([node("a", is_preview=True)]).splitlines()[1] == (
        '  "test_|-a_|-__prereq_test__" [label="test.nop\\na", style=dashed];'
    )


def test_quotes_backslashes_and_line_ends_stay_inside_of_their_text():
    line = to_dot([node('a"\\\n')]).splitlines()

    assert line[1] == '  "test_|-a\\"\\\\\\n" [label="test.nop\\na\\"\\\\\\n"];'
    assert len(line) == 3

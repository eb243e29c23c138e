"""Cycles among chunks."""

from salt_g.state.compile.cycles import components, cycle_text, find_cycle
from salt_g.state.compile.node import Node


def graph(*edges):
    """Return {name: node} of edges `a>b`: a needs b."""
    nodes = {}
    for name in sorted({name for edge in edges for name in edge.split(">")}):
        nodes[name] = Node({"__id__": name, "name": name, "__sls__": "s"}, tag=name)
    for edge in edges:
        one, _, other = edge.partition(">")
        if other:
            nodes[one].need(nodes[other], "require")
    return nodes


def names(cycle):
    return [(one.tag, kind, other.tag) for one, kind, other in cycle]


def test_a_graph_without_cycle_has_none():
    assert find_cycle(graph("a>b", "b>c", "a>c", "d").values()) == []
    assert find_cycle([]) == []


def test_a_cycle_is_given_edge_by_edge_without_the_way_to_it():
    cycle = find_cycle(graph("x>a", "a>b", "b>c", "c>a", "c>y").values())

    dependants, dependencies = [edge[0] for edge in names(cycle)], [edge[2] for edge in names(cycle)]
    assert sorted(dependants) == sorted(dependencies) == ["a", "b", "c"]
    assert all(one.needs[other] == [kind] for one, kind, other in cycle)


def test_a_state_that_needs_itself_is_a_cycle():
    assert names(find_cycle(graph("a>a").values())) == [("a", "require", "a")]


def test_a_long_chain_needs_no_stack():
    edges = [f"{n:05}>{n + 1:05}" for n in range(5000)]

    assert find_cycle(graph(*edges).values()) == []
    assert len(find_cycle(graph(*edges, "05000>00000").values())) == 5001


def test_nodes_of_one_cycle_have_one_representative():
    nodes = graph("a>b", "b>a", "b>c", "c>d", "d>c", "e>a")

    found = components(nodes.values())

    assert found[nodes["a"]] is found[nodes["b"]]
    assert found[nodes["c"]] is found[nodes["d"]]
    assert len({found[nodes[name]].tag for name in "ace"}) == 3


def test_the_text_names_what_was_written():
    nodes = graph("a>b", "b>a")
    nodes["a"].low["name"] = "other"
    nodes["b"].low["require"] = ["a"]

    text = cycle_text([(nodes["a"], "require", nodes["b"]), (nodes["b"], "require", nodes["a"])])

    assert text == (
        "Recursive requisites were found: "
        "({'SLS': 's', 'ID': 'a', 'NAME': 'other'}, 'prereq', {'SLS': 's', 'ID': 'b'}), "
        "({'SLS': 's', 'ID': 'b'}, 'require', {'SLS': 's', 'ID': 'a', 'NAME': 'other'})"
    )

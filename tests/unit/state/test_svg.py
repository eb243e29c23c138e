"""The dependency graph as SVG: positions of boxes, and escaping of names."""

import time
import xml.etree.ElementTree as ElementTree

import pytest

from salt_g.errors import CommandExecutionError
from salt_g.state.compile.node import Node
from salt_g.state.svg import MAX_NODES, PER_ROW, node_positions, positions_in_rows, rows_of, to_svg

_SVG = "{http://www.w3.org/2000/svg}"


def _node(id, *needed, kind="require", name=None):
    low = {"state": "test", "fun": "nop", "__id__": id, "name": name or id}
    node = Node(low, tag=f"test_|-{id}_|-{name or id}_|-nop")
    for other in needed:
        node.need(other, kind)
    return node


def _ids(rows):
    return [[node.low["__id__"] for node in row] for row in rows]


def test_requirements_are_drawn_above():
    a = _node("a")
    b = _node("b", a)
    c = _node("c", a, b)
    alone = _node("alone")

    rows = rows_of([c, alone, b, a])

    assert _ids(rows) == [["a"], ["b"], ["c"], ["alone"]]


def test_edges_cross_little():
    a, b, c = _node("a"), _node("b"), _node("c")
    low = [_node("of c", c), _node("of b", b), _node("of a", a)]

    rows = rows_of([a, b, c, *low])

    positions = [{id: number for number, id in enumerate(row)} for row in _ids(rows)]
    assert all(positions[1][f"of {id}"] == positions[0][id] for id in "abc")


def test_boxes_do_not_overlap_and_long_levels_are_broken():
    root = _node("root")
    nodes = [root, *(_node(f"n{number}", root) for number in range(3 * PER_ROW))]

    rows = rows_of(nodes)

    places = positions_in_rows(rows)
    assert [len(row) for row in rows] == [1, PER_ROW, PER_ROW, PER_ROW]
    assert len(set(places.values())) == len(nodes) and min(min(place) for place in places.values()) >= 0


def test_each_is_below_what_it_needs():
    roots = [_node(f"r{number}") for number in range(3)]
    below = [_node(f"of {root.low['__id__']}", root) for root in roots]
    last = _node("last", below[2])

    places = positions_in_rows(rows_of([*roots, *below, last]))

    columns = {node.low["__id__"]: x for node, (x, _) in places.items()}
    assert columns["r0"] == columns["of r0"] < columns["r1"] == columns["of r1"]
    assert columns["r2"] == columns["of r2"] == columns["last"]


def test_unconnected_nodes_are_drawn_apart():
    stacks = []
    for name in "abcdefgh":
        top = _node(f"{name} top")
        stacks.append([top, *(_node(f"{name} {number}", top) for number in range(4))])
    alone = _node("alone")
    # Each level in running order, as a run of several SLS files mixes them.
    nodes = [alone, *(stack[0] for stack in stacks), *(one for stack in stacks for one in stack[1:])]

    places = node_positions(nodes)

    assert places.keys() == set(nodes) and len(set(places.values())) == len(nodes)
    extents = [
        (min(places[one] for one in stack)[0], max(places[one] for one in stack)[0], places[stack[0]][1])
        for stack in stacks
    ]
    for number, (left, right, top) in enumerate(extents):
        for other_left, other_right, other_top in extents[:number]:
            assert top != other_top or left > other_right or right < other_left
    assert all(places[alone] > places[stack[0]] or places[alone][1] > places[stack[0]][1] for stack in stacks)


def test_requisites_that_meet_are_named_once():
    needed = [_node(f"n{number}") for number in range(4)]
    # A level between makes the last parts of their edges steep.
    nodes = [*needed, between := _node("between", *needed)]

    text = to_svg([*nodes, _node("last", between, *needed, kind="watch")])

    assert text.count("<title>watch</title>") == 5
    assert text.count(">watch</text>") < 5


def test_a_picture_is_xml_with_a_box_for_each_state_and_a_path_for_each_requisite():
    a = _node("a", name="/etc/a")
    b = _node("b", a, kind="watch")

    tree = ElementTree.fromstring(to_svg([a, b]))

    boxes = tree.findall(f"{_SVG}g")
    paths = tree.findall(f"{_SVG}path")
    assert [box.findtext(f"{_SVG}title") for box in boxes] == ["test.nop a (/etc/a)", "test.nop b"]
    assert [path.findtext(f"{_SVG}title") for path in paths] == ["watch"]
    assert paths[0].get("class") == "watch"


@pytest.mark.parametrize("id", ['"><script>alert(1)</script>', "a&b<c", "\x1b[2J\x00", "\ud800", "x" * 500])
def test_names_stay_text(id):
    text = to_svg([_node(id)])

    tree = ElementTree.fromstring(text.encode())
    assert not tree.findall(f".//{_SVG}script")
    assert "\x1b" not in text


def test_a_picture_loads_nothing():
    text = to_svg([_node("a")])

    assert "href" not in text and "@import" not in text and text.count("http") == 1


def test_no_states_are_an_empty_picture():
    assert ElementTree.fromstring(to_svg([])).findtext(f"{_SVG}title") == "0 states, 0 requisites"


def test_too_many_states_are_refused_with_what_helps():
    with pytest.raises(CommandExecutionError, match="1001 states, .* at most 1000; select fewer SLS"):
        to_svg([_node(str(number)) for number in range(MAX_NODES + 1)])


def test_a_large_graph_is_drawn_soon():
    nodes = [_node("n0")]
    for number in range(1, MAX_NODES):
        nodes.append(_node(f"n{number}", nodes[number // 2], nodes[number - 1] if number % 3 else nodes[0]))
    began = time.process_time()

    text = to_svg(nodes)

    assert text.count("<rect") == MAX_NODES + 1
    assert time.process_time() - began < 5

"""Dependency graph of a run as SVG, drawn without graphviz: dependencies above their dependants.

Connected components are laid out separately, side by side; nodes without requisites are at the end. Nodes get
a level (one more than the highest of their dependencies), each level is ordered to reduce crossings, and each
node is placed near its dependencies.
Bounds: `MAX_NODES` nodes; a long level is broken into rows of `PER_ROW`.
Shapes: `to_svg` takes nodes in running order and returns the text of a self-contained picture; all names are
escaped.
Units: picture units, about a pixel.
Errors: CommandExecutionError for more nodes than a picture can show.
"""

from __future__ import annotations

import html
from collections.abc import Iterable, Iterator, Mapping, Sequence

from salt_g.errors import CommandExecutionError
from salt_g.state.compile.node import Node

#: Maximum number of nodes in a picture.
MAX_NODES = 1000
#: Maximum number of nodes in a row.
PER_ROW = 12
#: Number of edges from which requisites are named only in tooltips.
_CROWD = 80
_WIDTH, _HEIGHT, _GAP, _DROP, _MARGIN = 200, 54, 24, 56, 20
#: Width and height reserved for the name of a requisite; no second name is drawn there.
_NAME_ROOM = (44, 12)
#: Maximum number of characters per line of a box, at the font sizes 12 and 11 px.
_FITS = 29
#: Number of passes that improve the order within levels.
_SWEEPS = 4

Position = tuple[float, float]

_STYLE = """\
text { font: 11px sans-serif; fill: #222; text-anchor: middle } .fun { font-weight: bold; font-size: 12px }
rect { fill: #f4f6f8; stroke: #55606a; rx: 5 } .preview rect { stroke-dasharray: 5 3 }
path { fill: none; stroke: #8892a0; stroke-width: 1.3 }
.kind { fill: #667; font-size: 9px; paint-order: stroke; stroke: #fff; stroke-width: 3px }
.watch, .onchanges, .listen { stroke: #2b6cb0 } .onfail { stroke: #b3261e } .prereq { stroke: #8a6100 }
"""


def to_svg(nodes: Iterable[Node]) -> str:
    """Return the picture of a graph."""
    nodes = list(nodes)
    if len(nodes) > MAX_NODES:
        raise CommandExecutionError(
            f"the graph has {len(nodes)} states, but a picture can show at most {MAX_NODES};"
            " select fewer SLS, or request DOT text (picture=dot)"
        )
    places = node_positions(nodes)
    width = max((x for x, _ in places.values()), default=0) + _WIDTH + _MARGIN
    height = max((y for _, y in places.values()), default=0) + _HEIGHT + _MARGIN
    edges = [(needed, node, kinds) for node in nodes for needed, kinds in node.needs.items()]
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}"'
            f' width="{width:g}" height="{height:g}" role="img">',
            f"<title>{len(nodes)} states, {len(edges)} requisites</title>",
            f"<style>\n{_STYLE}</style>",
            '<defs><marker id="arrow" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="7" markerHeight="7"'
            ' orient="auto"><path d="M0 0 8 4 0 8z" style="fill: #8892a0; stroke: none"/></marker></defs>',
            f'<rect width="{width:g}" height="{height:g}" style="fill: #fff; stroke: none; rx: 0"/>',
            *(_edge(places, *edge) for edge in edges),
            *(_names(places, edges) if len(edges) < _CROWD else ()),
            *(line for node in nodes for line in _box(node, places[node])),
            "</svg>",
        ]
    )


def node_positions(nodes: Sequence[Node]) -> dict[Node, Position]:
    """Return the upper left corner of each node's box in the picture."""
    places: dict[Node, Position] = {}
    x = y = bottom = 0.0
    for part in _parts(nodes):
        block = positions_in_rows(rows_of(part))
        right = max(corner for corner, _ in block.values()) + _WIDTH - _MARGIN
        if x and x + right > PER_ROW * (_WIDTH + _GAP):
            x, y = 0.0, bottom
        places.update((node, (x + left, y + top)) for node, (left, top) in block.items())
        bottom = max(bottom, max(top for _, top in places.values()) + _HEIGHT + _DROP - _MARGIN)
        x += right + 2 * _GAP
    return places


def _parts(nodes: Sequence[Node]) -> list[list[Node]]:
    """Return the connected components in running order; nodes without edges form the last one."""
    here, seen = set(nodes), set[Node]()
    parts: list[list[Node]] = []
    for node in nodes:
        if node in seen or not (node.needs or node.wanted_by):
            continue
        together = [node]
        seen.add(node)
        for one in together:
            near = [other for other in (*one.needs, *one.wanted_by) if other in here and other not in seen]
            seen.update(near)
            together += near
        members = set(together)
        parts.append([one for one in nodes if one in members])
    alone = [node for node in nodes if node not in seen]
    return [*parts, alone] if alone else parts


def rows_of(nodes: Sequence[Node]) -> list[list[Node]]:
    """Return the rows of nodes, level by level from the top; nodes without edges are in the last rows."""
    levels: dict[int, list[Node]] = {}
    level: dict[Node, int] = {}
    for node in _in_topological_order(nodes):
        level[node] = max((level[needed] + 1 for needed in node.needs if needed in level), default=0)
    alone = [node for node in nodes if not node.needs and not node.wanted_by]
    for node in nodes:
        if node.needs or node.wanted_by:
            levels.setdefault(level[node], []).append(node)
    rows = [levels[number] for number in sorted(levels)]
    _reduce_crossings(rows)
    return [row[start : start + PER_ROW] for row in [*rows, alone] for start in range(0, len(row), PER_ROW)]


def _in_topological_order(nodes: Sequence[Node]) -> Iterator[Node]:
    """Yield nodes in topological order, dependencies first."""
    here = set(nodes)
    open_needs = {node: sum(needed in here for needed in node.needs) for node in nodes}
    ready = [node for node in nodes if not open_needs[node]]
    for node in ready:
        yield node
        for wanting in node.wanted_by:
            if wanting in here:
                open_needs[wanting] -= 1
                if not open_needs[wanting]:
                    ready.append(wanting)


def _reduce_crossings(rows: Sequence[list[Node]]) -> None:
    """Order each row by the mean position of neighbours, alternately from above and from below."""
    position = {node: float(number) for row in rows for number, node in enumerate(row)}

    def wanted_position(node: Node, neighbours: Iterable[Node]) -> float:
        found = [position[other] for other in neighbours if other in position]
        return sum(found) / len(found) if found else position[node]

    for sweep in range(_SWEEPS):
        downwards = sweep % 2 == 0
        for row in rows if downwards else reversed(rows):
            row.sort(key=lambda node: wanted_position(node, node.needs if downwards else node.wanted_by))
            position.update((node, number - len(row) / 2) for number, node in enumerate(row))


def positions_in_rows(rows: Sequence[Sequence[Node]]) -> dict[Node, Position]:
    """Return the upper left corner of each node's box, near its dependencies and dependants."""
    left = {node: 0.0 for row in rows for node in row}

    def wanted_position(node: Node, neighbours: Iterable[Node]) -> float:
        found = [left[other] for other in neighbours if other in left]
        return sum(found) / len(found) if found else left[node]

    # Downwards, so that each row follows the one above; upwards, to place nodes without dependencies; then
    # downwards again.
    for downwards in (True, False, True):
        for row in rows if downwards else reversed(rows):
            preferred = [wanted_position(node, node.needs if downwards else node.wanted_by) for node in row]
            left.update(zip(row, _without_overlap(preferred), strict=True))
    least = min(left.values(), default=0.0)
    return {
        node: (round(_MARGIN + left[node] - least, 1), float(_MARGIN + number * (_HEIGHT + _DROP)))
        for number, row in enumerate(rows)
        for node in row
    }


def _without_overlap(preferred: Sequence[float]) -> list[float]:
    """Return positions in the same order, as close to the desired ones as non-overlapping boxes can be."""
    # After subtracting the widths of the preceding boxes, positions must not decrease; neighbours whose
    # preferred positions would decrease get their mean.
    groups: list[tuple[float, int]] = []
    for number, position in enumerate(preferred):
        total, count = position - number * (_WIDTH + _GAP), 1
        while groups and groups[-1][0] / groups[-1][1] > total / count:
            before, many = groups.pop()
            total, count = total + before, count + many
        groups.append((total, count))
    starts = [total / count for total, count in groups for _ in range(count)]
    return [start + number * (_WIDTH + _GAP) for number, start in enumerate(starts)]


def _edge(places: Mapping[Node, Position], needed: Node, node: Node, kinds: Sequence[str]) -> str:
    # A node of another picture, or one that is not drawn, has no position.
    if needed not in places:
        return ""
    x1, y1, x2, y2, bend = _curve(places[needed], places[node])
    return (
        f'<path class="{_escaped(kinds[0] if kinds else "")}" marker-end="url(#arrow)"'
        f' d="M{x1:g} {y1:g}C{x1:g} {y1 + bend:g} {x2:g} {y2 - bend:g} {x2:g} {y2:g}">'
        f"<title>{_escaped(', '.join(kinds))}</title></path>"
    )


def _curve(needed: Position, node: Position) -> tuple[float, float, float, float, float]:
    """Return the end points of an edge, and the length of its vertical part at both ends."""
    (x1, y1), (x2, y2) = needed, node
    x1, y1, x2 = x1 + _WIDTH / 2, y1 + _HEIGHT, x2 + _WIDTH / 2
    return x1, y1, x2, y2, max(20.0, (y2 - y1) / 2)


def _names(
    places: Mapping[Node, Position], edges: Iterable[tuple[Node, Node, Sequence[str]]]
) -> Iterator[str]:
    """Yield the labels of edges; edges with the same label that meet share one."""
    written: list[tuple[str, float, float]] = []
    for needed, node, kinds in edges:
        if needed not in places:
            continue
        x1, y1, x2, y2, bend = _curve(places[needed], places[node])
        # Placed in the gap above the row where the edge ends, because another node may hide it further up.
        near = min(0.5, 0.5 * _DROP / (y2 - y1)) if y2 > y1 else 0.5
        x, y = _on_curve((x1, x1, x2, x2), 1 - near), _on_curve((y1, y1 + bend, y2 - bend, y2), 1 - near)
        name = _escaped(", ".join(kinds))
        if not any(
            name == other and abs(x - left) < _NAME_ROOM[0] and abs(y - top) < _NAME_ROOM[1]
            for other, left, top in written
        ):
            written.append((name, x, y))
            yield f'<text class="kind" x="{x:g}" y="{y:g}">{name}</text>'


def _on_curve(points: tuple[float, float, float, float], part: float) -> float:
    """Return one coordinate of the point at a fraction (0 to 1) of a Bézier curve."""
    rest = 1 - part
    weights = (rest**3, 3 * rest**2 * part, 3 * rest * part**2, part**3)
    return round(sum(weight * point for weight, point in zip(weights, points, strict=True)), 1)


def _box(node: Node, place: Position) -> Iterator[str]:
    low, (x, y) = node.low, place
    fun, id, name = f"{low['state']}.{low['fun']}", str(low["__id__"]), str(low["name"])
    lines = [fun, id] + ([f"({name})"] if name != id else [])
    kind = "preview" if node.is_preview else "state"
    yield f'<g class="{kind}"><title>{_escaped(" ".join(lines))}</title>'
    yield f'<rect x="{x:g}" y="{y:g}" width="{_WIDTH}" height="{_HEIGHT}"/>'
    for number, line in enumerate(lines):
        style, base = ' class="fun"' if number == 0 else "", y + 17 + 15 * number
        yield f'<text{style} x="{x + _WIDTH / 2:g}" y="{base:g}">{_escaped(_cut(line))}</text>'
    yield "</g>"


def _cut(text: str) -> str:
    return text if len(text) <= _FITS else f"{text[: _FITS - 1]}…"


def _escaped(text: str) -> str:
    """Escape a text for XML; unprintable characters become �."""
    clean = "".join(character if character.isprintable() else "�" for character in text)
    return html.escape(clean.encode("utf-8", "replace").decode("utf-8"))

"""The dependency graph of a run as SVG, drawn by ourselves: what is needed stands above what needs it.

Why its own file: a layout is no business of the graph. Nodes get a level (one more than the highest of what
they need), each level is ordered so that edges cross little, those without requisites stand at the end.
Bounds: `MOST` nodes; a long level is broken into rows of `PER_ROW`.
Shapes: nodes in running order in, the text of a picture out that loads nothing; all names are escaped.
Units: of the picture, about a pixel.
Errors: CommandExecutionError for more nodes than a picture can show.
"""

from __future__ import annotations

import html
from collections.abc import Iterable, Iterator, Mapping, Sequence

from salt_g.errors import CommandExecutionError
from salt_g.state.node import Node

#: Most nodes of a picture.
MOST = 1000
#: Most nodes beside one another.
PER_ROW = 12
#: Edges from which on requisites are named in tooltips only.
_CROWD = 80
_WIDTH, _HEIGHT, _GAP, _DROP, _MARGIN = 200, 54, 24, 56, 20
#: Characters that fit a box, at 12 and at 11 units.
_FITS = 29
#: Times that the order within levels is improved.
_SWEEPS = 4

Place = tuple[float, float]

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
    if len(nodes) > MOST:
        raise CommandExecutionError(
            f"the graph has {len(nodes)} states and a picture shows {MOST} at most;"
            " draw fewer SLS at once, or have DOT text (picture=dot)"
        )
    places = placed(rows_of(nodes))
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
            *(_edge(places, *edge, is_named=len(edges) < _CROWD) for edge in edges),
            *(line for node in nodes for line in _box(node, places[node])),
            "</svg>",
        ]
    )


def rows_of(nodes: Sequence[Node]) -> list[list[Node]]:
    """Return the nodes by level, the first on top; those without any edge last."""
    levels: dict[int, list[Node]] = {}
    level: dict[Node, int] = {}
    for node in _needed_first(nodes):
        level[node] = max((level[needed] + 1 for needed in node.needs if needed in level), default=0)
    alone = [node for node in nodes if not node.needs and not node.wanted_by]
    for node in nodes:
        if node.needs or node.wanted_by:
            levels.setdefault(level[node], []).append(node)
    rows = [levels[number] for number in sorted(levels)]
    _untangle(rows)
    return [row[start : start + PER_ROW] for row in [*rows, alone] for start in range(0, len(row), PER_ROW)]


def _needed_first(nodes: Sequence[Node]) -> Iterator[Node]:
    """Yield nodes so that each comes after all that it needs."""
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


def _untangle(rows: Sequence[list[Node]]) -> None:
    """Order each row by where the neighbours of its nodes stand, from above and from below in turn."""
    position = {node: float(number) for row in rows for number, node in enumerate(row)}

    def wish(node: Node, neighbours: Iterable[Node]) -> float:
        found = [position[other] for other in neighbours if other in position]
        return sum(found) / len(found) if found else position[node]

    for sweep in range(_SWEEPS):
        downwards = sweep % 2 == 0
        for row in rows if downwards else reversed(rows):
            row.sort(key=lambda node: wish(node, node.needs if downwards else node.wanted_by))
            position.update((node, number - len(row) / 2) for number, node in enumerate(row))


def placed(rows: Sequence[Sequence[Node]]) -> dict[Node, Place]:
    """Return the upper left corner of each node's box; rows are centred."""
    widest = max((len(row) for row in rows), default=0) * (_WIDTH + _GAP) - _GAP
    places: dict[Node, Place] = {}
    for number, row in enumerate(rows):
        left = _MARGIN + (widest - len(row) * (_WIDTH + _GAP) + _GAP) / 2
        for column, node in enumerate(row):
            places[node] = (left + column * (_WIDTH + _GAP), _MARGIN + number * (_HEIGHT + _DROP))
    return places


def _edge(
    places: Mapping[Node, Place], needed: Node, node: Node, kinds: Sequence[str], *, is_named: bool
) -> str:
    # A node of another picture, or one that is not drawn, has no place.
    if needed not in places:
        return ""
    (x1, y1), (x2, y2) = places[needed], places[node]
    x1, y1, x2 = x1 + _WIDTH / 2, y1 + _HEIGHT, x2 + _WIDTH / 2
    bend = max(20.0, (y2 - y1) / 2)
    name = _escaped(", ".join(kinds))
    path = (
        f'<path class="{_escaped(kinds[0] if kinds else "")}" marker-end="url(#arrow)"'
        f' d="M{x1:g} {y1:g}C{x1:g} {y1 + bend:g} {x2:g} {y2 - bend:g} {x2:g} {y2:g}">'
        f"<title>{name}</title></path>"
    )
    if not is_named:
        return path
    # In the gap above the row where it ends: further up another node may hide it.
    near = min(0.5, 0.5 * _DROP / (y2 - y1)) if y2 > y1 else 0.5
    x, y = _on_curve((x1, x1, x2, x2), 1 - near), _on_curve((y1, y1 + bend, y2 - bend, y2), 1 - near)
    return f'{path}<text class="kind" x="{x:g}" y="{y:g}">{name}</text>'


def _on_curve(points: tuple[float, float, float, float], part: float) -> float:
    """Return where a Bézier curve is, in one coordinate, after a part of its way (0 to 1)."""
    rest = 1 - part
    weights = (rest**3, 3 * rest**2 * part, 3 * rest * part**2, part**3)
    return round(sum(weight * point for weight, point in zip(weights, points, strict=True)), 1)


def _box(node: Node, place: Place) -> Iterator[str]:
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
    """Return a text as XML has it; characters that no XML may have are shown as �."""
    clean = "".join(character if character.isprintable() else "�" for character in text)
    return html.escape(clean.encode("utf-8", "replace").decode("utf-8"))

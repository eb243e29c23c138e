"""Dependency graph of a run as DOT text for graphviz; `svg.py` draws the picture.

Shapes: an edge leads from a dependency to its dependant, labelled with the requisite.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from salt_g.shapes import TAG_SEPARATOR
from salt_g.state.compile.node import Node


def to_dot(nodes: Iterable[Node]) -> str:
    """Return the graph in graphviz's DOT language."""
    nodes = list(nodes)
    lines = [*map(_node_line, nodes), *(line for node in nodes for line in _edge_lines(node))]
    return "\n".join(["digraph G {", *lines, "}"])


def _node_line(node: Node) -> str:
    low = node.low
    label = f"{low['state']}.{low['fun']}\\n{_escaped(low['__id__'])}"
    if low["name"] != low["__id__"]:
        label += f"\\n({_escaped(low['name'])})"
    style = ", style=dashed" if node.is_preview else ""
    return f'  "{_key(node)}" [label="{label}"{style}];'


def _edge_lines(node: Node) -> Iterator[str]:
    for dependant, kinds in node.wanted_by.items():
        for kind in kinds:
            yield f'  "{_key(node)}" -> "{_key(dependant)}" [label="{kind}"];'


def _key(node: Node) -> str:
    return _escaped(f"{node.tag}{TAG_SEPARATOR}__prereq_test__" if node.is_preview else node.tag)


def _escaped(text: object) -> str:
    return str(text).replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")

"""Limit on the expansion of YAML aliases.

Reading an alias costs nothing, because it is the same node again, but traversing, packing or printing the
data visits each copy. Ten lines can expand to a billion values.
Units: characters; each node counts as `NODE` characters more than its text.
Errors: YamlError.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from salt_g.errors import YamlError

#: Weight of a node without its text, in characters.
NODE = 16
#: Maximum weight that aliases may add to a document, in characters.
MAX_ADDED = 16 * 1024 * 1024


class _Measure(NamedTuple):
    """Weight and depth of a node with its descendants."""

    weight: int
    depth: int


def check_aliases(text: str | bytes, root: Any, *, max_depth: int) -> None:
    """Raise YamlError when aliases make a document too large, or nest it deeper than `max_depth`.

    A document without the characters of anchors and aliases is skipped.
    """
    marks = (b"&", b"*") if isinstance(text, bytes) else ("&", "*")
    if root is None or not all(mark in text for mark in marks):  # type: ignore[operator]  # of one kind
        return
    measures: dict[int, _Measure] = {}
    own = _measure(root, measures)
    whole = measures[id(root)]
    if whole.depth > max_depth:
        raise YamlError(f"aliases nest the document deeper than {max_depth} levels", stage="compose")
    if whole.weight - own > MAX_ADDED:
        raise YamlError(f"aliases add more than {MAX_ADDED} characters to the document", stage="compose")


def _measure(root: Any, measures: dict[int, _Measure]) -> int:
    """Fill `measures` by node id, deepest first; return the total weight with each node counted once.

    A node that contains itself counts once at that place, because its data refers to itself and is infinite.
    """
    own = 0
    begun: set[int] = set()
    stack = [root]
    while stack:
        node = stack[-1]
        below = _below(node)
        if id(node) not in begun:
            begun.add(id(node))
            stack.extend(child for child in below if id(child) not in begun)
            continue
        stack.pop()
        if id(node) not in measures:
            weight = _weight(node)
            own += weight
            known = [measures[id(child)] for child in below if id(child) in measures]
            depth = 1 + max((measure.depth for measure in known), default=0)
            measures[id(node)] = _Measure(weight + sum(measure.weight for measure in known), depth)
    return own


def _below(node: Any) -> list[Any]:
    if isinstance(node.value, str):
        return []
    return [part for item in node.value for part in (item if isinstance(item, tuple) else (item,))]


def _weight(node: Any) -> int:
    return NODE + (len(node.value) if isinstance(node.value, str) else 0)

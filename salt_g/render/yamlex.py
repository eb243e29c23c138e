"""The `yamlex` renderer: YAML that merges repeated keys.

`!aggregate` before a value makes it aggregate: two such mappings are merged, two such lists are joined
without duplicates, a scalar becomes a list of one. Before a key, the tag applies to the value. `!reset`
before a key drops its previous value. Without a tag the later value wins, and common keys of two mappings
merge by the same rules.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

from salt_g.errors import RenderError, YamlError
from salt_g.formats import yaml_scalars
from salt_g.formats.yaml_construct import Construction
from salt_g.formats.yaml_load import UNICODE_STRING
from salt_g.formats.yaml_nodes import MappingNode, ScalarNode, SequenceNode, compose
from salt_g.render.request import RenderRequest

_AGGREGATE = "!aggregate"
_RESET = "!reset"


class AggregateMap(dict[Any, Any]):
    """Mapping that is merged with other mappings of the same key instead of replacing them."""


class AggregateList(list[Any]):
    """List that is joined with other lists of the same key instead of replacing them."""


def render(text: str, request: RenderRequest) -> Any:
    """Return the data of a YAML text with aggregation, or {} for empty text; raise RenderError if invalid."""
    try:
        root = compose(text)
        return _Document().aggregate(root) if root is not None else {}
    except YamlError as exc:
        raise RenderError(str(exc), line=exc.line) from exc


def merge(first: Any, second: Any) -> Any:
    """Return `second` merged into `first`."""
    if isinstance(first, dict) and isinstance(second, dict):
        return _merge_maps(first, second)
    if isinstance(first, AggregateList) and isinstance(second, AggregateList):
        return AggregateList([*first, *(item for item in second if item not in first)])
    return second


def _merge_maps(first: dict[Any, Any], second: dict[Any, Any]) -> dict[Any, Any]:
    collects = isinstance(first, AggregateMap) and isinstance(second, AggregateMap)
    merged = AggregateMap(first) if collects else second.__class__()
    for key, value in second.items():
        merged[key] = merge(first[key], value) if key in first else value
    return merged


class _Document:
    """One document during its construction from nodes."""

    def __init__(self) -> None:
        self._construction = Construction(UNICODE_STRING)

    def value(self, node: Any) -> Any:
        tag = str(node.ctag)
        if tag == _AGGREGATE:
            return self.aggregate(node)
        if isinstance(node, MappingNode):
            return self._mapping(node)
        if isinstance(node, SequenceNode):
            return [self.value(item) for item in node.value]
        return self._scalar(node, tag)

    def aggregate(self, node: Any) -> Any:
        """Return the value of a node as an aggregating mapping or list."""
        if isinstance(node, MappingNode):
            return AggregateMap(self._mapping(node))
        if isinstance(node, SequenceNode):
            return AggregateList([self.value(item) for item in node.value])
        value = self._scalar(node, _AGGREGATE)
        return AggregateList() if value is None else AggregateList([value])

    def _mapping(self, node: Any) -> dict[Any, Any]:
        self._construction.merge(node)
        mapping: dict[Any, Any] = {}
        for key_node, value_node in node.value:
            key, value = self._entry(key_node, value_node)
            if not isinstance(key, Hashable):
                line = key_node.start_mark.line + 1
                raise RenderError(f"found unacceptable key {key!r} in line {line}", line=line)
            if key in mapping and str(key_node.ctag) != _RESET:
                value = merge(mapping[key], value)
            mapping[key] = value
        return mapping

    def _entry(self, key_node: Any, value_node: Any) -> tuple[Any, Any]:
        """Return key and value; `!aggregate` before the key applies to the value."""
        if isinstance(key_node, ScalarNode) and str(key_node.ctag) == _AGGREGATE:
            return self._scalar(key_node, _AGGREGATE), self.aggregate(value_node)
        return self.value(key_node), self.value(value_node)

    def _scalar(self, node: ScalarNode, tag: str) -> Any:
        if tag in (_AGGREGATE, _RESET):
            tag = yaml_scalars.tag_of(node.value)
        return self._construction.scalar(node, tag)

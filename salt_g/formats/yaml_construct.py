"""Construction of plain data from YAML nodes, with anchors, tags, merges and errors.

Shapes: dict, list, str, int, float, bool, None, bytes (`!!binary`), set (`!!set`).
Errors: YamlError, with libyaml's text and the location. The import takes about 10 ms, see `yaml_nodes`;
`yaml_load` reads most texts without it.
Source: conformance area `yaml`.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from typing import Any

from salt_g.errors import YamlError
from salt_g.formats import yaml_scalars
from salt_g.formats.yaml_nodes import (
    MAP,
    SEQ,
    STR,
    MappingNode,
    ScalarNode,
    SequenceNode,
    compose,
    describe,
    tag_object,
)
from salt_g.shapes import KeyLines

_MERGE = tag_object(yaml_scalars.MERGE)
_VALUE = tag_object(yaml_scalars.VALUE)
_IN_MAPPING = "while constructing a mapping"
#: Number of collections filled between two calls of `yield_to_hub` (about 2 ms).
_COLLECTIONS_PER_YIELD = 500


def construct(
    text: str | bytes, *, name: str, mapping: type, yield_to_hub: Callable[[], None] | None = None
) -> Any:
    """Return the data of the single YAML document in `text`; see `yaml_load.load`. Raise YamlError."""
    return Construction(name, mapping, yield_to_hub).run(compose(text, name=name, yield_to_hub=yield_to_hub))


def construct_located(text: str | bytes, *, name: str, mapping: type, depth: int) -> tuple[Any, KeyLines]:
    """Return the data and the lines of its keys; see `yaml_load.load_located`. Raise YamlError."""
    root = compose(text, name=name)
    data = Construction(name, mapping).run(root)
    lines: KeyLines = {}
    _collect_lines(root, (), depth, lines)
    return data, lines


class Construction:
    """Constructor of the data of one document from its nodes.

    Containers are created empty and filled later, level by level, so that aliases can refer to their own
    parent, deep nesting needs no recursion, and errors are reported in stock's order.
    """

    #: {tag: reader of scalars}
    readers: Mapping[str, Callable[[str], Any]]
    #: Whether a repeated key is an error; otherwise the last one wins.
    has_unique_keys = True

    def __init__(
        self, name: str, mapping: type = dict, yield_to_hub: Callable[[], None] | None = None
    ) -> None:
        self._name = name
        self._mapping_type = mapping
        self._yield_to_hub = yield_to_hub
        self.readers = yaml_scalars.READERS
        #: {id() of a node: its container}; an alias is the same node again.
        self._made: dict[int, Any] = {}
        self._to_fill: list[tuple[Any, Any]] = []

    def run(self, root: Any) -> Any:
        """Construct the data of a document; `root` is its root node, None for an empty document."""
        if root is None:
            return None
        data = self._value(root)
        for number, (node, container) in enumerate(self._to_fill, 1):
            self._fill(node, container)
            if self._yield_to_hub is not None and number % _COLLECTIONS_PER_YIELD == 0:
                self._yield_to_hub()
        return data

    def _value(self, node: Any) -> Any:
        tag = node.ctag
        if tag is STR:
            return self.text(node)
        if tag is MAP:
            return self._container(node, self._mapping_type)
        if tag is SEQ:
            return self._container(node, list)
        return self._tagged(node, str(tag))

    def text(self, node: Any) -> Any:
        """Return the value of a text node."""
        return node.value

    def _tagged(self, node: Any, tag: str) -> Any:
        reader = self.readers.get(tag)
        if reader is not None:
            return self._scalar(node, reader)
        container = _CONTAINERS.get(tag)
        if container is not None:
            return self._container(node, container)
        raise self._error(f"could not determine a constructor for the tag '{tag}'", node)

    def scalar(self, node: Any, tag: str) -> Any:
        """Return the value of a scalar node, read as one with the tag `tag`; raises YamlError."""
        reader = self.readers.get(tag)
        if reader is None:
            raise self._error(f"could not determine a constructor for the tag '{tag}'", node)
        return self._scalar(node, reader)

    def _scalar(self, node: Any, reader: Callable[[str], Any]) -> Any:
        if not isinstance(node, ScalarNode):
            raise self._error(f"expected a scalar node, but found {node.id}", node)
        try:
            return reader(node.value)
        except ValueError as exc:
            raise self._error(str(exc), node) from exc

    def _container(self, node: Any, kind: type) -> Any:
        made = self._made.get(id(node))
        if made is None:
            made = self._made[id(node)] = kind()
            self._to_fill.append((node, made))
        return made

    def _fill(self, node: Any, container: Any) -> None:
        if isinstance(container, list):
            self._expect(node, SequenceNode, "sequence")
            container.extend([self._value(item) for item in node.value])
            return
        self._expect(node, MappingNode, "mapping")
        container.update(self._mapping(node))

    def _expect(self, node: Any, kind: type, wanted: str) -> None:
        if not isinstance(node, kind):
            raise self._error(f"expected a {wanted} node, but found {node.id}", node)

    def _mapping(self, node: Any) -> dict[Any, Any]:
        self.merge(node)
        mapping: dict[Any, Any] = {}
        for key_node, value_node in node.value:
            key = self._value(key_node)
            if not isinstance(key, Hashable):
                raise self._error(f"found unacceptable key {key_node.value}", key_node, node)
            value = self._value(value_node)
            if key in mapping and self.has_unique_keys:
                raise self._error(f"found conflicting ID '{key}'", key_node, node)
            mapping[key] = value
        return mapping

    def merge(self, node: Any) -> None:
        """Insert the pairs of `<<` before the node's own pairs, whose keys take precedence.

        A merged node is changed in place, so that merging it again costs nothing.
        """
        own: list[Any] = []
        merged: list[Any] = []
        for pair in node.value:
            if pair[0].ctag is _MERGE:
                merged.extend(self._merged_pairs(pair[1], node))
            else:
                own.append(pair)
            if pair[0].ctag is _VALUE:
                pair[0].ctag = STR
        if len(own) == len(node.value):
            return
        # Keys are compared as written (`1` and `0x1` differ), as in stock.
        taken = {key.value for key, _ in own if isinstance(key, ScalarNode)}
        node.value = [pair for pair in merged if not _is_taken(pair[0], taken)] + own

    def _merged_pairs(self, source: Any, node: Any) -> list[Any]:
        if isinstance(source, MappingNode):
            self.merge(source)
            return list(source.value)
        if isinstance(source, SequenceNode):
            return self._pairs_of_all(source, node)
        problem = f"expected a mapping or list of mappings for merging, but found {source.id}"
        raise self._error(problem, source, node)

    def _pairs_of_all(self, sources: Any, node: Any) -> list[Any]:
        pairs: list[Any] = []
        for source in sources.value:
            if not isinstance(source, MappingNode):
                raise self._error(f"expected a mapping for merging, but found {source.id}", source, node)
            self.merge(source)
            pairs[:0] = source.value
        return pairs

    def _error(self, problem: str, node: Any, mapping: Any = None) -> YamlError:
        """Return the error for a node; `mapping` is the enclosing mapping, if relevant."""
        mark = node.start_mark
        context, context_mark = (_IN_MAPPING, mapping.start_mark) if mapping is not None else (None, None)
        return YamlError(
            describe(context, context_mark, problem, mark, self._name),
            line=mark.line + 1,
            column=mark.column + 1,
            problem=problem,
            stage="construct",
        )


def _is_taken(key: Any, taken: set[str]) -> bool:
    return isinstance(key, ScalarNode) and key.value in taken


_CONTAINERS: dict[str, type] = {
    "tag:yaml.org,2002:map": dict,
    "tag:yaml.org,2002:omap": dict,
    "tag:yaml.org,2002:seq": list,
    "tag:yaml.org,2002:set": set,
}


def _collect_lines(node: Any, path: tuple[Any, ...], depth: int, lines: KeyLines) -> None:
    if depth == 0 or not isinstance(node, MappingNode):
        return
    for key_node, value_node in node.value:
        reader = yaml_scalars.READERS.get(str(key_node.ctag))
        if reader is None or not isinstance(key_node, ScalarNode):
            continue
        here = (*path, reader(key_node.value))
        lines[here] = key_node.start_mark.line + 1
        _collect_lines(value_node, here, depth - 1, lines)

"""Writer of YAML, byte for byte like stock's dumper.

By default, keys are sorted (an OrderedDict keeps its order), collections of scalars are in flow style,
non-ASCII text is not escaped, and repeated objects are aliases. Errors: none; values that YAML cannot
represent are written as `NULL`, as in stock.
Source: libyaml through ruamel.yaml's C part, PyYAML's safe representation rules.
"""

from __future__ import annotations

import base64
import datetime
import io
import math
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from salt_g.formats import yaml_scalars
from salt_g.formats.ordered import Ordered
from salt_g.formats.yaml_nodes import MAP, SEQ, STR, MappingNode, ScalarNode, SequenceNode, tag_object
from salt_g.formats.yaml_write import write

_NULL = tag_object(yaml_scalars.NULL)
_BOOL = tag_object(yaml_scalars.BOOL)
_INT = tag_object(yaml_scalars.INT)
_FLOAT = tag_object(yaml_scalars.FLOAT)
_BINARY = tag_object(yaml_scalars.BINARY)
_TIMESTAMP = tag_object(yaml_scalars.TIMESTAMP)
_SET = tag_object("tag:yaml.org,2002:set")
#: Types whose values are written each time, never as an alias.
_NEVER_ALIASED = (str, bytes, bool, int, float, type(None))


def dump(
    data: Any,
    *,
    default_flow_style: bool | None = None,
    default_style: str | None = None,
    sort_keys: bool = True,
    sort_ordered: bool = False,
    **layout: Any,
) -> str:
    """Return `data` as the text of one YAML document, with a final newline.

    `default_flow_style` selects collections written as `[a, b]`: True all, False none, None those of scalars.
    `default_style` forces a quote character on scalars. `sort_ordered` also sorts mappings that keep the
    order of their file. `layout` is passed to libyaml: `width`, `indent`, `allow_unicode` (True),
    `explicit_start`, `explicit_end`, `canonical`, `line_break`.
    """
    representation = _Representation(default_flow_style, default_style, sort_keys, sort_ordered)
    stream = io.StringIO()
    write(representation.node(data), stream, layout)
    return stream.getvalue()


class _Representation:
    """Converter of the data of one document to nodes."""

    def __init__(
        self, flow_style: bool | None, style: str | None, sort_keys: bool, sort_ordered: bool
    ) -> None:
        self._flow_style = flow_style
        self._style = style
        self._sort_keys = sort_keys
        self._sort_ordered = sort_ordered
        #: {id() of an object: its node}; a repeated node is written as an alias.
        self._nodes: dict[int, Any] = {}
        #: Objects created while dumping, kept alive so that no id is reused.
        self._kept: list[Any] = []

    def node(self, data: Any) -> Any:
        if isinstance(data, _NEVER_ALIASED) or data == ():
            return self._scalar(data) if data != () else self._sequence(data, None)
        made = self._nodes.get(id(data))
        if made is None:
            self._kept.append(data)
            made = self._collection(data)
        return made

    def _collection(self, data: Any) -> Any:
        if isinstance(data, Mapping):
            return self._mapping(MAP, self._pairs(data), data)
        if isinstance(data, (list, tuple)):
            return self._sequence(data, data)
        if isinstance(data, (set, frozenset)):
            return self._mapping(_SET, self._pairs(dict.fromkeys(data)), data)
        node = self._scalar(data)
        self._nodes[id(data)] = node
        return node

    def _scalar(self, data: Any) -> Any:
        for kind, represent in _SCALARS:
            if isinstance(data, kind):
                tag, text, style = represent(data)
                return ScalarNode(tag, text, None, None, style=style or self._style)
        return ScalarNode(_NULL, "NULL", None, None, style=self._style)

    def _sequence(self, items: Iterable[Any], source: Any) -> Any:
        node = SequenceNode(SEQ, [], None, None)
        if source is not None:
            self._nodes[id(source)] = node
        node.value.extend([self.node(item) for item in items])
        node.flow_style = self._flow(node.value)
        return node

    def _mapping(self, tag: Any, pairs: Iterable[tuple[Any, Any]], source: Any) -> Any:
        node = MappingNode(tag, [], None, None)
        self._nodes[id(source)] = node
        node.value.extend([(self.node(key), self.node(value)) for key, value in pairs])
        node.flow_style = self._flow([part for pair in node.value for part in pair])
        return node

    def _pairs(self, mapping: Mapping[Any, Any]) -> list[tuple[Any, Any]]:
        pairs = list(mapping.items())
        if not self._sort_keys or (isinstance(mapping, (OrderedDict, Ordered)) and not self._sort_ordered):
            return pairs
        try:
            return sorted(pairs)
        except TypeError:
            # Keys (or the values of equal keys) of different types have no order.
            return pairs

    def _flow(self, parts: list[Any]) -> bool:
        if self._flow_style is not None:
            return self._flow_style
        return all(isinstance(part, ScalarNode) and not part.style for part in parts)


def _float_text(value: float) -> str:
    if math.isnan(value):
        return ".nan"
    if math.isinf(value):
        return ".inf" if value > 0 else "-.inf"
    text = repr(value).lower()
    # A float needs a dot in YAML 1.1, where 1e+17 is text.
    return text.replace("e", ".0e", 1) if "." not in text else text


_Represented = tuple[Any, str, "str | None"]
#: (type, writer); the order matters because bool is a subclass of int and datetime of date.
_SCALARS: tuple[tuple[type, Callable[[Any], _Represented]], ...] = (
    (str, lambda value: (STR, str(value), None)),
    (bool, lambda value: (_BOOL, "true" if value else "false", None)),
    (int, lambda value: (_INT, str(int(value)), None)),
    (float, lambda value: (_FLOAT, _float_text(value), None)),
    (type(None), lambda value: (_NULL, "null", None)),
    (bytes, lambda value: (_BINARY, base64.encodebytes(value).decode("ascii"), "|")),
    (datetime.datetime, lambda value: (_TIMESTAMP, value.isoformat(" "), None)),
    (datetime.date, lambda value: (_TIMESTAMP, value.isoformat(), None)),
)

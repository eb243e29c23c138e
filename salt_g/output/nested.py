"""Indented text for people, the default outputter.

Source: stock's `nested`. Mappings are sorted by key, except ordered ones; values other than text, numbers,
lists and mappings (a set, a date) are not shown.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from numbers import Number
from typing import Any

from salt_g.formats import ansi

_RULE = "----------"


def output(data: Any, opts: Mapping[str, Any], *, retcode: int = 0, indent: int | None = None) -> str:
    """Return `data` as indented text; `indent` is in columns, by default that of the settings."""
    columns = opts.get("nested_indent") or 0 if indent is None else indent
    return "\n".join(_Nested(opts, retcode).lines(data, columns))


class _Nested:
    def __init__(self, opts: Mapping[str, Any], retcode: int) -> None:
        colors = ansi.palette(opts.get("color"), opts.get("color_theme"))
        self._end = colors[ansi.END]
        self._value = colors["LIGHT_YELLOW"]
        self._text = colors["GREEN"]
        self._item = colors["RED"] if retcode else colors["GREEN"]
        self._key = colors["RED"] if retcode else colors["CYAN"]
        self._clean = ansi.without_escapes if opts.get("strip_colors", True) else str

    def lines(self, data: Any, indent: int, prefix: str = "") -> Iterator[str]:
        if isinstance(data, bytes):
            data = _as_text(data)
        if data is None or data is True or data is False:
            yield self._line(indent, self._value, f"{prefix}{data}")
        elif isinstance(data, Number):
            yield self._line(indent, self._value, f"{prefix}{data!r}")
        elif isinstance(data, str):
            yield from self._text_lines(data, indent, prefix)
        elif isinstance(data, (list, tuple)):
            yield from self._list_lines(data, indent)
        elif isinstance(data, Mapping):
            yield from self._mapping_lines(data, indent, prefix)

    def _text_lines(self, text: str, indent: int, prefix: str) -> Iterator[str]:
        for line in text.splitlines():
            yield self._line(indent, self._text, prefix + self._clean(line))
            prefix = " " * len(prefix)

    def _list_lines(self, items: Sequence[Any], indent: int) -> Iterator[str]:
        for item in items:
            if isinstance(item, (list, tuple, Mapping)):
                yield self._line(indent, self._item, "|_")
                yield from self.lines(item, indent + 2, "" if isinstance(item, Mapping) else "- ")
            else:
                yield from self.lines(item, indent, "- ")

    def _mapping_lines(self, mapping: Mapping[Any, Any], indent: int, prefix: str) -> Iterator[str]:
        if indent:
            yield self._line(indent, self._key, _RULE)
        for key, value in _in_order(mapping):
            yield self._line(indent, self._key, f"{prefix}{key}") + ":"
            yield from self.lines(value, indent + 4)

    def _line(self, indent: int, color: str, text: str) -> str:
        return f"{' ' * indent}{color}{text}{self._end}"


def _in_order(mapping: Mapping[Any, Any]) -> list[tuple[Any, Any]]:
    if isinstance(mapping, OrderedDict):
        return list(mapping.items())
    try:
        keys = sorted(mapping)
    except TypeError:
        # Keys of mixed types cannot be compared; sort them as text.
        texts = {str(key): value for key, value in mapping.items()}
        return sorted(texts.items(), key=lambda item: item[0])
    return [(key, mapping[key]) for key in keys]


def _as_text(data: bytes) -> str | bytes:
    try:
        return data.decode()
    except UnicodeDecodeError:
        return data

"""Outputter: indented text for users, the default.

Source: stock's `nested`. Mappings are sorted by key, except ordered ones; values other than text, numbers,
None, lists and mappings (for example, a set or a date) are not shown.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from numbers import Number
from typing import Any

from salt_g.formats import ansi

_RULE = "----------"


def output(data: Any, opts: Mapping[str, Any], *, retcode: int = 0, indent: int | None = None) -> str:
    """Return `data` as indented text; `indent` is in columns, by default as in the settings."""
    columns = opts.get("nested_indent") or 0 if indent is None else indent
    nested = _Nested(opts, retcode)
    nested.add(data, columns)
    return "\n".join(nested.lines)


class _Nested:
    """Collector of lines; nested generators would pass every line through every level."""

    def __init__(self, opts: Mapping[str, Any], retcode: int) -> None:
        colors = ansi.palette(opts.get("color"), opts.get("color_theme"))
        self.lines: list[str] = []
        self._end = colors[ansi.END]
        self._value = colors["LIGHT_YELLOW"]
        self._text = colors["GREEN"]
        self._item = colors["RED"] if retcode else colors["GREEN"]
        self._key = colors["RED"] if retcode else colors["CYAN"]
        self._clean = ansi.without_escapes if opts.get("strip_colors", True) else str

    def add(self, data: Any, indent: int, prefix: str = "") -> None:
        """Add the lines of a value."""
        if isinstance(data, bytes):
            data = _as_text(data)
        # Check for text and mappings first, which are the most frequent values and the cheapest tests.
        if isinstance(data, str):
            self._add_text(data, indent, prefix)
        elif isinstance(data, dict):
            self._add_mapping(data, indent, prefix)
        elif data is None or data is True or data is False:
            self._add_line(indent, self._value, f"{prefix}{data}")
        elif isinstance(data, Number):
            self._add_line(indent, self._value, f"{prefix}{data!r}")
        elif isinstance(data, (list, tuple)):
            self._add_list(data, indent)
        elif isinstance(data, Mapping):
            self._add_mapping(data, indent, prefix)

    def _add_text(self, text: str, indent: int, prefix: str) -> None:
        for line in text.splitlines():
            self._add_line(indent, self._text, prefix + self._clean(line))
            prefix = " " * len(prefix)

    def _add_list(self, items: Sequence[Any], indent: int) -> None:
        for item in items:
            if isinstance(item, (list, tuple, Mapping)):
                self._add_line(indent, self._item, "|_")
                self.add(item, indent + 2, "" if isinstance(item, Mapping) else "- ")
            else:
                self.add(item, indent, "- ")

    def _add_mapping(self, mapping: Mapping[Any, Any], indent: int, prefix: str) -> None:
        if indent:
            self._add_line(indent, self._key, _RULE)
        start, end = f"{' ' * indent}{self._key}{prefix}", f"{self._end}:"
        text_start, text_end, lines = f"{' ' * (indent + 4)}{self._text}", self._end, self.lines
        for key, value in _in_order(mapping):
            lines.append(f"{start}{key}{end}")
            # Fast path for most values: printable text has one line and needs no escapes.
            if type(value) is str and value and value.isprintable():
                lines.append(f"{text_start}{value}{text_end}")
            else:
                self.add(value, indent + 4)

    def _add_line(self, indent: int, color: str, text: str) -> None:
        self.lines.append(f"{' ' * indent}{color}{text}{self._end}")


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

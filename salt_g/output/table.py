"""Outputter: tables of rows found anywhere in nested data.

Settings: `out.table.NAME`, where NAME is a field of `_Style`, `rows_key`, `labels_key`, `title` or
`nested_indent`.
Source: stock's `table`. A row with wrapped cells shows as many lines as its shortest cell has, and rows of
different types show nothing.
"""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from salt_g.formats import ansi

_RULE = "----------"
_JUSTIFY: dict[str, Callable[[str, int], str]] = {"center": str.center, "right": str.rjust, "left": str.ljust}


@dataclasses.dataclass(frozen=True)
class _Style:
    """Style of a table; `width` is the length in characters at which a cell wraps."""

    has_header: bool = True
    row_delimiter: str = "-"
    delim: str = " | "
    justify: str = "center"
    separate_rows: bool = True
    prefix: str = "| "
    suffix: str = " |"
    width: int = 50


def output(data: Any, opts: Mapping[str, Any], *, retcode: int = 0) -> str:
    """Return the lists in `data` as tables below the keys that lead to them."""
    options = {name[len("out.table.") :]: opts[name] for name in opts if name.startswith("out.table.")}
    fields = {field.name for field in dataclasses.fields(_Style)}
    style = _Style(**{name: value for name, value in options.items() if name in fields and value is not None})
    table = _Table(style, ansi.palette(opts.get("color"), opts.get("color_theme")), options)
    return "\n".join(table.lines(data, options.get("nested_indent") or 0))


class _Table:
    def __init__(self, style: _Style, colors: Mapping[str, str], options: Mapping[str, Any]) -> None:
        self._style = style
        self._colors = colors
        self._rows_key = options.get("rows_key")
        self._labels_key = options.get("labels_key")
        self._title = options.get("title")

    def lines(self, data: Any, indent: int) -> Iterator[str]:
        if self._title and self._rows_key:
            # Stock swaps title and colour here.
            yield f"{' ' * indent}{self._title}{self._colors['WHITE']}{self._colors[ansi.END]}\n"
        yield from self._lines(_decoded(data), indent)

    def _lines(self, data: Any, indent: int) -> Iterator[str]:
        if isinstance(data, dict):
            if self._rows_key and self._rows_key not in data:
                for key in sorted(data):
                    yield from self._lines(data[key], indent)
            else:
                yield from self._keyed(data, indent)
        elif isinstance(data, (list, tuple)) and not self._rows_key:
            yield from self._rows(data, None, indent)

    def _keyed(self, data: dict[Any, Any], indent: int) -> Iterator[str]:
        for key in [self._rows_key] if self._rows_key else sorted(data):
            if not self._rows_key:
                yield self._line(indent, "DARK_GRAY", str(key)) + ":"
                yield self._line(indent, "DARK_GRAY", _RULE)
            value = data[key]
            if isinstance(value, (list, tuple)):
                yield from self._rows(value, data.get(self._labels_key) if self._labels_key else None, indent)
            else:
                yield from self._lines(value, indent + 4)

    def _rows(self, rows: Sequence[Any], labels: Any, indent: int) -> Iterator[str]:
        if not rows or any(type(row) is not type(rows[0]) for row in rows):
            return
        if isinstance(labels, dict):
            labels = [labels[key] for key in sorted(labels)]
        if isinstance(rows[0], dict):
            labels = labels or [str(label).replace("_", " ").title() for label in sorted(rows[0])]
            rows = [[row[key] for key in sorted(row)] for row in rows]
        elif not isinstance(rows[0], (list, tuple)):
            rows = [[row] for row in rows]
        all_rows = [labels, *rows] if labels else rows
        yield from self._grid(all_rows, bool(self._style.has_header and labels), indent + 4)

    def _grid(self, rows: Sequence[Sequence[Any]], has_header: bool, indent: int) -> Iterator[str]:
        style = self._style
        wrapped = [list(zip(*(self._wrapped(str(cell)) for cell in row), strict=False)) for row in rows]
        widths = [max(map(len, column)) for column in zip(*itertools.chain(*wrapped), strict=False)]
        inner = sum(widths) + len(style.delim) * (len(widths) - 1)
        edge = self._line(
            indent, "LIGHT_GRAY", style.row_delimiter * (len(style.prefix) + inner + len(style.suffix))
        )
        justify = _JUSTIFY[style.justify.lower()]
        if style.separate_rows:
            yield edge
        for number, lines in enumerate(wrapped):
            for line in lines:
                cells = style.delim.join(
                    justify(cell, width) for cell, width in zip(line, widths, strict=False)
                )
                yield self._line(indent, "WHITE", f"{style.prefix}{cells}{style.suffix}")
            if style.separate_rows or (has_header and number == 0):
                yield edge

    def _wrapped(self, text: str) -> list[str]:
        """Wrap text at spaces; a word longer than a line is not broken."""
        words = text.split(" ")
        lines = words[0].split("\n")
        for word in words[1:]:
            first, *rest = word.split("\n")
            if len(lines[-1]) + len(first) >= self._style.width:
                lines.append(first)
            else:
                lines[-1] += f" {first}"
            lines += rest
        return lines

    def _line(self, indent: int, color: str, text: str) -> str:
        return f"{' ' * indent}{self._colors[color]}{text}{self._colors[ansi.END]}"


def _decoded(data: Any) -> Any:
    if isinstance(data, bytes):
        return data.decode("utf-8", "replace")
    if isinstance(data, Mapping):
        return {_decoded(key): _decoded(value) for key, value in data.items()}
    if isinstance(data, (list, tuple)):
        return [_decoded(item) for item in data]
    return data

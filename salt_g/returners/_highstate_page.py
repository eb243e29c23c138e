"""HTML report of states for mail programs, with inline styles only.

`highstate_return.py` selects the content; this module formats it.
Shapes: lists of {name: value}, each with an optional `__style__` (`failed`, `changed`, `unchanged`); a
value is text, or another such list.
"""

from __future__ import annotations

import html
from collections.abc import Iterator
from typing import Any

#: Key of an entry with the style of the other entries in its mapping.
STYLE = "__style__"
_COLORS = {"failed": "#b3261e", "changed": "#2e6b34", "unchanged": "#0a5cad"}
_TABLE = "border-collapse:collapse;width:100%;"
_CELL = "border:1px solid #9e9e9e;padding:2px 4px;vertical-align:top;font:9pt Helvetica,Arial,sans-serif;"
_NAME = "width:70pt;"


def page(report: list[Any]) -> str:
    """Return the page of a report; every value is escaped."""
    body = "\n".join(_table(report, ""))
    return f'<html>\n<head><meta charset="utf-8"></head>\n<body>\n{body}\n</body>\n</html>\n'


def _table(rows: list[Any], color: str) -> Iterator[str]:
    yield f'<table style="{_TABLE}">'
    for row in rows:
        yield from _row(row, color)
    yield "</table>"


def _row(row: Any, color: str) -> Iterator[str]:
    if not isinstance(row, dict):
        yield from ("<tr>", *_cell(row, color), "</tr>")
        return
    color = _COLORS.get(row.get(STYLE, ""), color)
    for name, value in row.items():
        if name != STYLE:
            yield from ("<tr>", *_cell(str(name), color, _NAME), *_cell(value, color), "</tr>")


def _cell(value: Any, color: str, more: str = "") -> Iterator[str]:
    style = f"{_CELL}{more}" + (f"color:{color};" if color else "")
    yield f'<td style="{style}">'
    if isinstance(value, list):
        yield from _table(value, color)
    else:
        yield html.escape(str(value)).replace("\n", "<br>")
    yield "</td>"

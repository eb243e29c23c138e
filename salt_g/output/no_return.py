"""Outputter: messages in red below the ids of minions that did not return."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from salt_g.formats import ansi


def output(data: Any, opts: Mapping[str, Any], *, retcode: int = 0) -> str:
    """Return text and mappings of text as lines, each with a trailing newline."""
    colors = ansi.palette(opts.get("color"), opts.get("color_theme"))
    return "".join(_lines(data, 0, colors))


def _lines(data: Any, indent: int, colors: Mapping[str, str]) -> Iterator[str]:
    if isinstance(data, str):
        for line in data.split("\n"):
            yield f"{colors['RED']}{' ' * indent}{line}{colors[ansi.END]}\n"
    elif isinstance(data, dict):
        for key in sorted(data):
            yield f"{colors['CYAN']}{' ' * indent}{key}{colors[ansi.END]}:\n"
            yield from _lines(data[key], indent + 4, colors)

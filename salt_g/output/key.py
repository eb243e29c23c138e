"""Outputter: minion keys grouped by state: accepted, denied, unaccepted, rejected."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from salt_g.formats import ansi

#: {state in the data: (title, colour)}; titles use the light variant of the colour
_STATES = {
    "minions": ("Accepted Keys:", "GREEN"),
    "minions_pre": ("Unaccepted Keys:", "RED"),
    "minions_denied": ("Denied Keys:", "MAGENTA"),
    "minions_rejected": ("Rejected Keys:", "BLUE"),
    "local": ("Local Keys:", "MAGENTA"),
}
#: Indentation of each line if keys of several states are shown.
_INNER_INDENT = 4


def output(data: Mapping[str, Any], opts: Mapping[str, Any], *, retcode: int = 0) -> str:
    """Return {state: [id, ...]} or {state: {id: fingerprint}} as lines under titles."""
    colors = ansi.palette(opts.get("color"), opts.get("color_theme"))
    clean = ansi.without_escapes if opts.get("strip_colors", True) else str
    indent = " " * (_INNER_INDENT if opts.get("__multi_key") else 0)
    end = colors[ansi.END]
    lines = []
    for state in sorted(data):
        title, color = _STATES.get(state, (f"{state}:", "CYAN"))
        lines.append(f"{indent}{colors[f'LIGHT_{color}']}{title}{end}")
        lines += [f"{indent}{colors[color]}{clean(text)}{end}" for text in _texts(data[state])]
    return "\n".join(lines)


def _texts(keys: Any) -> Iterator[str]:
    for name in sorted(keys):
        if isinstance(keys, dict):
            yield f"{name}:  {keys[name]}"
        elif isinstance(keys, list):
            yield str(name)

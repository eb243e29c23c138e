"""Say which function was probably meant when minions do not have the one that was asked for.

Why its own file: what minions return is stock's text and data; this stands beside it, for a person.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

#: Hints are for people: of so many names one is meant.
MOST = 3


def hints(fun: str | Sequence[str], values: Iterable[Any], opts: Mapping[str, Any]) -> list[str]:
    """Return a line for each of the functions that a value says is not there, where others are like it."""
    missing = _missing([fun] if isinstance(fun, str) else list(fun), values)
    if not missing:
        return []
    from salt_g.loader import Loader

    table = Loader(dict(opts)).table("modules")
    nearest = {name: [near for near in table.nearest(name)[:MOST] if near != name] for name in missing}
    return [f"{name!r} is not available. Did you mean {_or(near)}?" for name, near in nearest.items() if near]


def _missing(funs: Sequence[str], values: Iterable[Any]) -> list[str]:
    """Return those of `funs` that a value says are not available; it may be a map of several functions."""
    said: set[str] = set()
    for value in values:
        for text in value.values() if isinstance(value, dict) else [value]:
            if isinstance(text, str):
                said.add(text[: text.find(" is not available") + 1].strip())
    return [fun for fun in funs if f"'{fun}'" in said]


def _or(names: Sequence[str]) -> str:
    return " or ".join(names)

"""Advice about undefined names in templates: keys of pillar and grains, and variables.

Shapes: sentences hold names of keys, never values.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping
from typing import Any

from jinja2.utils import missing

from salt_g.api import Deferred
from salt_g.render.jinja.undefined import AdvisedText

#: Variables whose keys come from outside the templates, with the function that returns a default instead of
#: an error.
_SOURCES = {"pillar": "pillar.get", "grains": "grains.get"}
#: Maximum number of mappings searched for the one that lacks a key.
_MOST_MAPPINGS = 10_000


def about_missing(text: AdvisedText, variables: Mapping[str, Any]) -> str:
    """Return a sentence about a missing name, with similar names and advice; '' if nothing is known."""
    if not isinstance(text.key, str):
        return ""
    if text.owner is missing:
        near = _similar(text.key, variables)
        return f"no variable {text.key!r}{near}" if near else ""
    for source, getter in _SOURCES.items():
        values = variables.get(source)
        path = _path_of(text.owner, values.get() if isinstance(values, Deferred) else values)
        if path is not None:
            wanted = ":".join([*path, text.key])
            message = f"{source} has no key {wanted!r}{_similar(text.key, text.owner)}"
            return f"{message}; for an optional one: salt['{getter}']('{wanted}', DEFAULT)"
    return ""


def _similar(key: str, known: Iterable[Any]) -> str:
    near = difflib.get_close_matches(key, (name for name in known if isinstance(name, str)), n=3)
    return f" (did you mean {' or '.join(near)}?)" if near else ""


def _path_of(wanted: Any, source: Any) -> list[str] | None:
    """Return the keys that lead from `source` to a mapping at or below it, None if it is not there."""
    if not isinstance(wanted, Mapping):
        return None
    waiting: list[tuple[list[str], Any]] = [([], source)]
    for _ in range(_MOST_MAPPINGS):
        if not waiting:
            break
        path, found = waiting.pop()
        if found is wanted:
            return path
        if isinstance(found, Mapping):
            waiting += [
                ([*path, str(key)], value) for key, value in found.items() if isinstance(value, Mapping)
            ]
    return None

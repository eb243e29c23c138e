"""Filters, tests and globals that users' plugins add to templates, from the moment their file is loaded.

Stock's `salt.utils.decorators.jinja` is how they are declared; they may replace those of salt-g.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from typing import Any

from salt_g import api

#: By the name in templates.
FILTERS: dict[str, Callable[..., Any]] = {}
TESTS: dict[str, Callable[..., Any]] = {}
GLOBALS: dict[str, Any] = {}


def as_noted(functions: Mapping[str, Any]) -> dict[str, Any]:
    """Return functions of plugins as ones that depend on more than their arguments."""
    return {name: depending(made) if callable(made) else made for name, made in functions.items()}


@functools.lru_cache(maxsize=1000)
def depending(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function that depends on more than its arguments, as recorded state runs note."""

    @functools.wraps(function)
    def noted(*args: Any, **kwargs: Any) -> Any:
        api.note_outside()
        return function(*args, **kwargs)

    return noted

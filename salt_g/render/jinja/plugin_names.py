"""Filters, tests and globals that users' plugins add to templates once the plugin file is loaded.

They are declared with stock's `salt.utils.decorators.jinja` and can replace those of salt-g.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from typing import Any

from salt_g import api

#: Plugins' functions and values by their name in templates.
FILTERS: dict[str, Callable[..., Any]] = {}
TESTS: dict[str, Callable[..., Any]] = {}
GLOBALS: dict[str, Any] = {}


def as_noted(functions: Mapping[str, Any]) -> dict[str, Any]:
    """Return plugins' functions wrapped by `depending`; other values stay."""
    return {name: depending(made) if callable(made) else made for name, made in functions.items()}


@functools.lru_cache(maxsize=1000)
def depending(function: Callable[..., Any]) -> Callable[..., Any]:
    """Wrap a function so that recorded state runs note its dependence on more than its arguments."""

    @functools.wraps(function)
    def noted(*args: Any, **kwargs: Any) -> Any:
        api.note_outside()
        return function(*args, **kwargs)

    return noted

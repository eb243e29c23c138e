"""Filters, tests and globals that users' plugins add to templates, from the moment their file is loaded.

Stock's `salt.utils.decorators.jinja` is how they are declared; they may replace those of salt-g.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

#: By the name in templates.
FILTERS: dict[str, Callable[..., Any]] = {}
TESTS: dict[str, Callable[..., Any]] = {}
GLOBALS: dict[str, Any] = {}

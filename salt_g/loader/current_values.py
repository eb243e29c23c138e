"""Conversion of values that follow the running call (`__opts__`, ...) to plain ones.

A user's plugin may return `__opts__`, `__grains__` or `__env__` themselves. These show the data of whichever
call reads them, so a value that is kept, compared or sent after the call must be a copy of their content.
"""

from __future__ import annotations

from collections import UserList, UserString
from collections.abc import Callable, Mapping
from typing import Any


def plain_return(function: Callable[..., Any], value: Any) -> Any:
    """Return a function's result, converted by `plain` if the function is not built in."""
    is_ours = str(getattr(function, "__module__", "")).startswith("salt_g.")
    return value if is_ours else plain(value)


def plain(value: Any) -> Any:
    """Convert mappings, lists and texts at any depth to plain ones; other values stay unchanged.

    Call it while the call runs. Raise RecursionError for a value that contains itself.
    """
    if isinstance(value, UserString):
        return str(value)
    if isinstance(value, Mapping):
        return {plain(key): plain(item) for key, item in value.items()}
    if isinstance(value, (list, UserList)):
        return [plain(item) for item in value]
    return tuple(plain(item) for item in value) if type(value) is tuple else value

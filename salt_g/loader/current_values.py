"""Plain values in place of the names that follow the running call.

A user's plugin may return `__opts__`, `__grains__` or `__env__` themselves. They show the call that reads
them, so what is kept, compared or sent after the call needs their present content.
"""

from __future__ import annotations

from collections import UserList, UserString
from collections.abc import Callable, Mapping
from typing import Any


def plain_return(function: Callable[..., Any], value: Any) -> Any:
    """Return a function's result, made plain if the function is of a user or an extension."""
    is_ours = str(getattr(function, "__module__", "")).startswith("salt_g.")
    return value if is_ours else plain(value)


def plain(value: Any) -> Any:
    """Return a value with plain maps, lists and texts at any depth; other values as they are.

    To be called while the call runs. Raise RecursionError for a value that contains itself.
    """
    if isinstance(value, UserString):
        return str(value)
    if isinstance(value, Mapping):
        return {plain(key): plain(item) for key, item in value.items()}
    if isinstance(value, (list, UserList)):
        return [plain(item) for item in value]
    return tuple(plain(item) for item in value) if type(value) is tuple else value

"""Say what becomes of the keywords of a state that takes any.

Why its own file: the engine tells users which keywords they have misspelt. It reads parameters and docstrings
by itself; only states that hand their keywords on, or whose users choose them, have to say so.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

F = TypeVar("F", bound=Callable[..., Any])


def takes(*known: str) -> Callable[[F], F]:
    """Decorate a state with words that it knows, or execution functions (`lvm.lvcreate`) that it asks."""

    def declare(state: F) -> F:
        state.__takes__ = known  # type: ignore[attr-defined]
        return state

    return declare


def takes_any(state: F) -> F:
    """Decorate a state whose keywords are its user's own, or too many to tell."""
    return takes()(state)

"""Declarations of the keywords accepted by states with `**kwargs`.

The engine reports misspelt keywords. It reads parameters and docstrings itself; states that pass keywords on,
or accept user-defined ones, have to declare them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

F = TypeVar("F", bound=Callable[..., Any])


def takes(*known: str) -> Callable[[F], F]:
    """Declare accepted keywords, or execution functions (`lvm.lvcreate`) whose parameters are accepted."""

    def declare(state: F) -> F:
        state.__takes__ = known  # type: ignore[attr-defined]
        return state

    return declare


def takes_any(state: F) -> F:
    """Declare that a state accepts arbitrary keywords."""
    return takes()(state)

"""Constructors of state returns; the only place that builds stock's result dict.

A state function reads as: current state, wanted state, difference, action. It ends with one of these
functions. `changes` is {} when nothing differs.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, ParamSpec

from salt_g.errors import CommandExecutionError, InvocationError
from salt_g.shapes import StateReturn

P = ParamSpec("P")


def outcome(
    name: str, result: bool | None, comment: str = "", changes: dict[str, Any] | None = None, **extra: Any
) -> StateReturn:
    """Build a state return; `extra` are further keys (`warnings`, `data`, ...)."""
    made: dict[str, Any] = {"name": name, "changes": changes or {}, "result": result, "comment": comment}
    return {**made, **extra}  # type: ignore[typeddict-item]


def as_wanted(name: str, comment: str = "", **extra: Any) -> StateReturn:
    """Return success without changes."""
    return outcome(name, True, comment, **extra)


def changed(name: str, comment: str, changes: dict[str, Any], **extra: Any) -> StateReturn:
    """Return success with changes."""
    return outcome(name, True, comment, changes, **extra)


def would_change(name: str, comment: str, changes: dict[str, Any] | None = None, **extra: Any) -> StateReturn:
    """Return the test mode result: a difference was found and left alone."""
    return outcome(name, None, comment, changes, **extra)


def failed(name: str, comment: str, changes: dict[str, Any] | None = None, **extra: Any) -> StateReturn:
    """Return failure; `changes` holds what was done before it."""
    return outcome(name, False, comment, changes, **extra)


def refusal_fails(state: Callable[P, StateReturn]) -> Callable[P, StateReturn]:
    """Decorate a state so that a refusal of an execution function becomes its comment."""

    @functools.wraps(state)
    def guarded(*args: P.args, **kwargs: P.kwargs) -> StateReturn:
        try:
            return state(*args, **kwargs)
        except (CommandExecutionError, InvocationError) as exc:
            return failed(str(kwargs.get("name", args[0] if args else "")), str(exc))

    return guarded

"""Build what a state function returns; the one home of stock's result dict.

A state function reads as: what is, what is wanted, what differs, what was done. It ends in
one of these words. `changes` is {} when nothing differs.
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
    """Return a state return with these parts; `extra` are further keys (`warnings`, `data`, ...)."""
    made: dict[str, Any] = {"name": name, "changes": changes or {}, "result": result, "comment": comment}
    return {**made, **extra}  # type: ignore[typeddict-item]


def as_wanted(name: str, comment: str = "", **extra: Any) -> StateReturn:
    """Nothing differs."""
    return outcome(name, True, comment, **extra)


def changed(name: str, comment: str, changes: dict[str, Any], **extra: Any) -> StateReturn:
    """Something differed and is now as wanted."""
    return outcome(name, True, comment, changes, **extra)


def would_change(name: str, comment: str, changes: dict[str, Any] | None = None, **extra: Any) -> StateReturn:
    """Test mode: something differs and was left alone."""
    return outcome(name, None, comment, changes, **extra)


def failed(name: str, comment: str, changes: dict[str, Any] | None = None, **extra: Any) -> StateReturn:
    """What is wanted could not be reached; `changes` holds what was done before that."""
    return outcome(name, False, comment, changes, **extra)


def refusal_fails(state: Callable[P, StateReturn]) -> Callable[P, StateReturn]:
    """Decorate a state so that what a function says when it refuses is the comment, without a traceback."""

    @functools.wraps(state)
    def guarded(*args: P.args, **kwargs: P.kwargs) -> StateReturn:
        try:
            return state(*args, **kwargs)
        except (CommandExecutionError, InvocationError) as exc:
            return failed(str(kwargs.get("name", args[0] if args else "")), str(exc))

    return guarded

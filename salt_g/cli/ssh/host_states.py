"""Functions of `state` in a call on a host, as under stock's salt-ssh.

`state.low` is a state run; minions return the bare state. `state.show_sls` and its siblings return the errors
of pillar as a list, as `state.apply` does; on a minion they fail with them.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from typing import Any

from salt_g import api
from salt_g.errors import CommandExecutionError, PillarError
from salt_g.shapes import low_tag

#: Exit code of a run with a failed state.
_STATE_FAILED = 2

#: First line of a list of errors of pillar.
_PILLAR_FAILED = "Pillar failed to render with the following messages:"
_SHOWING = frozenset(f"state.show_{name}" for name in ("highstate", "low_sls", "lowstate", "sls"))


def of_host(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function as hosts have it."""
    if name == "state.low":
        return as_run(function)
    return with_pillar_errors(function) if name in _SHOWING else function


def with_pillar_errors(show: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function that returns errors of pillar as a list; it has set the exit code."""

    @functools.wraps(show)
    def shown(*args: Any, **kwargs: Any) -> Any:
        try:
            return show(*args, **kwargs)
        except CommandExecutionError as exc:
            if not isinstance(exc.__cause__, PillarError):
                raise
            return [_PILLAR_FAILED, *exc.__cause__.messages]

    return shown


def as_run(low: Callable[..., Any]) -> Callable[..., Any]:
    """Return `state.low` with {tag: state return} as its result; a list of errors stays one."""

    @functools.wraps(low)
    def run(data: Mapping[str, Any], *args: Any, **kwargs: Any) -> Any:
        value = low(data, *args, **kwargs)
        if not isinstance(value, dict):
            return value
        api.current().scratch["retcode"] = _STATE_FAILED if value.get("result") is False else 0
        return {low_tag({"__id__": data["name"], **data}): value}

    run.__outputter__ = "highstate"  # type: ignore[attr-defined]  # as the others of `state`
    return run

"""Functions of `state` in a call on a host, with the results of stock's salt-ssh.

`state.low` returns a state run, while minions return the bare state. `state.show_sls` and similar functions
return pillar errors as a list, as `state.apply` does, while on a minion they raise these errors.
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

#: First line of a list of pillar errors.
_PILLAR_FAILED = "Pillar failed to render with the following messages:"
_SHOWING = frozenset(f"state.show_{name}" for name in ("highstate", "low_sls", "lowstate", "sls"))


def of_host(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
    """Return the variant of a function for hosts."""
    if name == "state.low":
        return as_run(function)
    return with_pillar_errors(function) if name in _SHOWING else function


def with_pillar_errors(show: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function that returns pillar errors as a list, after the original has set the exit code."""

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
    """Return a variant of `state.low` that returns {tag: state return}; a list of errors is unchanged."""

    @functools.wraps(low)
    def run(data: Mapping[str, Any], *args: Any, **kwargs: Any) -> Any:
        value = low(data, *args, **kwargs)
        if not isinstance(value, dict):
            return value
        api.current().scratch["retcode"] = _STATE_FAILED if value.get("result") is False else 0
        return {low_tag({"__id__": data["name"], **data}): value}

    run.__outputter__ = "highstate"  # type: ignore[attr-defined]  # like other functions of `state`
    return run

"""`state.low` in a call on a host: a state run, as under stock's salt-ssh; minions return the bare state."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from typing import Any

from salt_g import api
from salt_g.shapes import low_tag

#: Exit code of a run with a failed state.
_STATE_FAILED = 2


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

"""Waiting for other state runs, under the names that extensions import from stock's `salt.modules.state`.

An extension may copy these functions into its own file (`namespaced_function`), whose names then hide those
of this file; the names used here are therefore unlikely ones.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

from salt_g import api

#: Pause between two checks for other runs (s).
_LOOK_INTERVAL = 1.0


def _check_queue(queue: Any, kwargs: Mapping[str, Any]) -> list[str] | None:
    """Wait for other state runs if `queue` is set; else return a line for each, or None if there are none."""
    return _conflicts_or_turn(queue, kwargs)


def _wait(jid: Any) -> None:
    """Wait until no other state run is active."""
    _turn_of(str(jid or ""))


def _prior_running_states(jid: Any) -> list[str]:
    """Return a line for each other active state run."""
    return _other_runs(str(jid or ""))


def _conflicts_or_turn(queue: Any, kwargs: Mapping[str, Any]) -> list[str] | None:
    jid = str(kwargs.get("__pub_jid") or api.current().job.get("jid", ""))
    if queue:
        _turn_of(jid)
        return None
    found = [] if kwargs.get("concurrent") else _other_runs(jid)
    if not found:
        return None
    api.scratch["retcode"] = 1
    return found


def _turn_of(jid: str) -> None:
    # As in stock, the wait has no time limit, because the caller requested it; `saltutil.kill_job` ends it.
    while _other_runs(jid):
        time.sleep(_LOOK_INTERVAL)


def _other_runs(jid: str) -> list[str]:
    return api.services().states.lock.conflicts(jid)

"""Refresh what the repositories offer once per run, not once per state.

Why its own file: the first state of a run leaves a flag file (`mod_init`), the first refresh
takes it away (`pkg.refresh_db`), and states in between ask for it.
"""

from __future__ import annotations

import contextlib
import os
from typing import Any

from salt_g.api import opts, resource, scratch

#: In `cachedir`; `pkg.refresh_db` removes it.
_FLAG = "pkg_refresh"


def is_due(refresh: Any) -> bool:
    """Return whether a state has to refresh: it says so, or says nothing and nobody did in this run."""
    if isinstance(refresh, str):
        refresh = refresh.lower() == "true"
    return bool(refresh) or (refresh is not False and _is_asked_for())


def ask_for() -> None:
    """Leave the flag; without a place for it every state goes without a refresh."""
    if resource:
        # Many resources have runs at once; theirs is no file of this machine.
        scratch[_FLAG] = True
        return
    with contextlib.suppress(OSError, KeyError):
        open(_path(), "a", encoding="utf-8").close()


def _is_asked_for() -> bool:
    return bool(scratch.get(_FLAG)) if resource else os.path.isfile(_path())


def _path() -> str:
    return os.path.join(opts["cachedir"], _FLAG)

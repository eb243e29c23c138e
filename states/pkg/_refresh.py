"""Refresh of the package lists once per run instead of once per state.

The first state of a run creates a flag file (`mod_init`), the first refresh removes it (`pkg.refresh_db`),
and states in between check it.
"""

from __future__ import annotations

import contextlib
import os
from typing import Any

from salt_g.api import opts, resource, scratch

#: Name of the flag file in `cachedir`, which `pkg.refresh_db` removes.
_FLAG = "pkg_refresh"


def is_due(refresh: Any) -> bool:
    """Return whether a state has to refresh: on its own request, or by default as the first in the run."""
    if isinstance(refresh, str):
        refresh = refresh.lower() == "true"
    return bool(refresh) or (refresh is not False and _is_asked_for())


def ask_for() -> None:
    """Create the flag file; if that fails, no state refreshes by default."""
    if resource:
        # Runs of many resources share this machine; their flag cannot be one local file.
        scratch[_FLAG] = True
        return
    with contextlib.suppress(OSError, KeyError):
        open(_path(), "a", encoding="utf-8").close()


def _is_asked_for() -> bool:
    return bool(scratch.get(_FLAG)) if resource else os.path.isfile(_path())


def _path() -> str:
    return os.path.join(opts["cachedir"], _FLAG)

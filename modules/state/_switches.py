"""Disabled SLS, functions and highstate of this machine.

Every run reads only this grain, because gathering all grains is slow.
"""

from __future__ import annotations

from typing import Any

from salt_g.api import opts
from salt_g.modules._grains_file import read_grains

#: The grain with the disabled items.
GRAIN = "state_runs_disabled"


def switched_off() -> list[Any]:
    """Return the disabled items, from the settings or the grains file."""
    off = (opts.get("grains") or {}).get(GRAIN, read_grains().get(GRAIN))
    return list(off) if isinstance(off, list) else []

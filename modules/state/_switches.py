"""What is switched off on this machine: SLS, functions, the highstate.

Why its own file: every run asks, and gathering all grains for one of them is slow.
"""

from __future__ import annotations

from typing import Any

from salt_g.api import opts
from salt_g.modules._grains_file import read_grains

#: The grain that holds what is switched off.
GRAIN = "state_runs_disabled"


def switched_off() -> list[Any]:
    """Return what was switched off, as settings or the grains file say."""
    off = (opts.get("grains") or {}).get(GRAIN, read_grains().get(GRAIN))
    return list(off) if isinstance(off, list) else []

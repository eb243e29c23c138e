"""States of packages: installed, removed, purged, latest, up to date, held.

Begin with `installed`, whose decisions are made in `_plan`. The platform's `pkg` module finds installed
packages and compares versions; nothing here is specific to apt.
"""

from __future__ import annotations

from salt_g.api import functions
from salt_g.states.pkg.downloaded import downloaded, patch_downloaded, patch_installed
from salt_g.states.pkg.group import group_installed
from salt_g.states.pkg.held import held, unheld
from salt_g.states.pkg.installed import installed
from salt_g.states.pkg.latest import latest
from salt_g.states.pkg.removed import purged, removed
from salt_g.states.pkg.uptodate import uptodate
from salt_g.states.pkg.watch import mod_aggregate, mod_beacon, mod_init, mod_watch

__all__ = [
    "downloaded",
    "group_installed",
    "held",
    "installed",
    "latest",
    "mod_aggregate",
    "mod_beacon",
    "mod_init",
    "mod_watch",
    "patch_downloaded",
    "patch_installed",
    "purged",
    "removed",
    "unheld",
    "uptodate",
]


def __virtual__() -> bool | tuple[bool, str]:
    return True if "pkg.install" in functions else (False, "pkg module could not be loaded")

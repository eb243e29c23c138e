"""State and version of systemd on this machine.

Package managers run in a separate scope, so that restarting the minion's service does not kill them.
"""

from __future__ import annotations

import os
import re

from salt_g.api import call, scratch
from salt_g.modules._programs import is_installed, run

#: Directory that exists if the machine was booted with systemd, see sd_booted(3).
BOOTED_MARK = "/run/systemd/system"
#: The first version with `systemd-run --scope`.
_FIRST_WITH_SCOPE = 205


def is_booted() -> bool:
    """Return whether this machine was booted with systemd."""
    return os.path.exists(BOOTED_MARK)


def is_offline() -> bool:
    """Return whether systemctl is installed but systemd is not running (a container, a chroot)."""
    return not is_booted() and is_installed("systemctl")


def version() -> int | None:
    """Return the version of systemd, or None if systemctl reports none; queried once per run."""
    if "systemd.version" not in scratch:
        found = re.search(r"\w+ ([0-9]+)", run(["systemctl", "--version"])["stdout"])
        scratch["systemd.version"] = int(found.group(1)) if found else None
    known: int | None = scratch["systemd.version"]
    return known


def scope_prefix(*options: str) -> list[str]:
    """Return the command prefix that runs a program in its own scope, or [] if impossible or disabled."""
    if not is_booted() or not is_installed("systemd-run"):
        return []
    if (version() or 0) < _FIRST_WITH_SCOPE or not call("config.get", "systemd.scope", True):
        return []
    return ["systemd-run", "--scope", *options]

"""Names and files of systemd units."""

from __future__ import annotations

import os

from salt_g.modules._init_scripts import below

UNIT_TYPES = ("service", "socket", "device", "mount", "automount", "swap", "target", "path", "timer")
#: Directories of unit files, in systemd's order from distribution to administrator.
_DIRECTORIES = ("/lib/systemd/system", "/usr/lib/systemd/system", "/etc/systemd/system")


def canonical(name: str) -> str:
    """Return the name of a unit with its type; the default type is service."""
    return str(name) if str(name).endswith(UNIT_TYPES) else f"{name}.service"


def short_name(unit: str) -> str:
    """Return the display name of a unit: a service without its type."""
    return unit.removesuffix(".service")


def unit_names(root: str | None = None) -> set[str]:
    """Return the names of all units that have a file."""
    return {
        short_name(name)
        for directory in (below(path, root) for path in _DIRECTORIES)
        if os.path.isdir(directory) and os.access(directory, os.R_OK) and not os.path.islink(directory)
        for name in os.listdir(directory)
        if name.rpartition(".")[2] in UNIT_TYPES and "." in name
    }

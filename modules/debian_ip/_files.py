"""Paths and contents of ifupdown's files."""

from __future__ import annotations

import os

#: ifupdown's configuration directory.
NETWORK = "/etc/network"
DEFAULTS = "/etc/default/networking"
#: Directory of kernel module options.
MODPROBE = "/etc/modprobe.d"


def main() -> str:
    """Return the path of the file that is read first."""
    return os.path.join(NETWORK, "interfaces")


def all_of_interfaces() -> list[str]:
    """Return the paths of all files with interface definitions."""
    directory = os.path.join(NETWORK, "interfaces.d")
    names = sorted(os.listdir(directory)) if os.path.isdir(directory) else []
    paths = [main(), *(os.path.join(directory, name) for name in names)]
    return [path for path in paths if os.path.isfile(path)]


def lines_of(text: str) -> list[str]:
    """Return the lines of a text with their ends, the form that states compare."""
    return text.splitlines(keepends=True)

"""Paths and lines of the files in /etc/sysconfig."""

from __future__ import annotations

import os

from salt_g.modules._network_settings import file_name, text_of

#: Settings of the whole machine.
NETWORK = "/etc/sysconfig/network"
#: Directory of the interfaces' files.
SCRIPTS = "/etc/sysconfig/network-scripts"


def path_of(prefix: str, iface: str) -> str:
    """Return the path of an interface's file: `ifcfg`, `route` or `route6`."""
    return os.path.join(SCRIPTS, f"{prefix}-{file_name(iface)}")


def read(path: str) -> list[str]:
    """Return the lines of a file without the first empty one, as states compare them."""
    return without_first_blank(text_of(path).splitlines())


def without_first_blank(lines: list[str]) -> list[str]:
    """Return lines without the first empty one, as stock reads them."""
    if "" not in lines:
        return lines
    place = lines.index("")
    return [*lines[:place], *lines[place + 1 :]]


def text(lines: list[str]) -> str:
    """Return the text of a file with these lines."""
    return "".join(f"{line}\n" for line in lines)

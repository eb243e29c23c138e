"""Paths and contents of ifupdown's files."""

from __future__ import annotations

import os

from salt_g.process import disk

#: ifupdown's configuration directory.
NETWORK = "/etc/network"
DEFAULTS = "/etc/default/networking"
#: Directory of kernel module options.
MODPROBE = "/etc/modprobe.d"
_FILE_MODE = 0o644


def main() -> str:
    """Return the path of the file that is read first."""
    return os.path.join(NETWORK, "interfaces")


def all_of_interfaces() -> list[str]:
    """Return the paths of all files with interface definitions."""
    directory = os.path.join(NETWORK, "interfaces.d")
    names = sorted(os.listdir(directory)) if os.path.isdir(directory) else []
    paths = [main(), *(os.path.join(directory, name) for name in names)]
    return [path for path in paths if os.path.isfile(path)]


def text_of(path: str) -> str:
    """Return the text of a file, '' if there is none."""
    try:
        with open(path, encoding="utf-8") as file:
            return file.read()
    except FileNotFoundError:
        return ""


def write(path: str, text: str, mode: int = _FILE_MODE) -> None:
    """Write a file; raise AttributeError, as stock does, if its directory is missing."""
    if not os.path.isdir(os.path.dirname(path)):
        raise AttributeError(f"{path} cannot be written. {os.path.dirname(path)} does not exist")
    disk.write_whole(path, text, mode=mode)


def lines_of(text: str) -> list[str]:
    """Return the lines of a text with their ends, the form that states compare."""
    return text.splitlines(keepends=True)

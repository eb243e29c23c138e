"""Attributes of the kernel's objects below /sys.

Shapes: an attribute is an int, a float or text; False for a missing, empty or unreadable one.
"""

from __future__ import annotations

import contextlib
import os
import stat
from collections.abc import Iterable, Iterator
from typing import Any

from salt_g.api import grains

#: Mount point of sysfs.
ROOT = "/sys"


def __virtual__() -> bool | tuple[bool, str]:
    return True if grains.get("kernel") == "Linux" else (False, "sysfs is only available on Linux")


def attr(key: str, value: Any = None) -> Any:
    """Return an attribute, or write `value` if it is given; for a directory return its path.

    Example::

        salt-g sysfs.attr block/sda/queue/logical_block_size
    """
    path = target(key)
    if path is False or os.path.isdir(path):
        return path
    return read(path) if value is None else write(path, value)


def write(key: str, value: Any) -> bool:
    """Write an attribute; return whether the kernel accepted it.

    Example::

        salt-g sysfs.write devices/system/cpu/cpu0/cpufreq/scaling_governor performance
    """
    path = target(key)
    if path is False:
        return False
    try:
        with open(path, "w", encoding="utf-8") as file:
            file.write(f"{value}\n")
    except OSError:
        return False
    return True


def read(key: str | Iterable[str], root: str = "") -> Any:
    """Return an attribute, all attributes below a directory, or {key: value} of several keys below `root`.

    Example::

        salt-g sysfs.read class/net/lo/statistics
    """
    if not isinstance(key, str):
        values = {each: read(os.path.join(root, each)) for each in key}
        return {each: value for each, value in values.items() if value is not False}
    path = target(os.path.join(root, key))
    if path is False:
        return False
    return _tree(path) if os.path.isdir(path) else _value(path)


def target(key: str, full: bool = True) -> Any:
    """Return the path that a key leads to, or only its last part if `full` is False; False if it is missing.

    Example::

        salt-g sysfs.target class/net/lo
    """
    path = os.path.realpath(key if key.startswith(ROOT) else os.path.join(ROOT, key))
    if not os.path.exists(path):
        return False
    return path if full else os.path.basename(path)


def interfaces(root: str) -> Any:
    """Return the relative paths of attributes below a directory: {"r": [...], "w": [...], "rw": [...]}.

    The keys are the owner's access. Returns False if `root` is not a directory.

    Example::

        salt-g sysfs.interfaces class/net/lo/queues
    """
    path = target(root)
    if path is False or not os.path.isdir(path):
        return False
    found: dict[str, list[str]] = {"r": [], "w": [], "rw": []}
    for file in _files(path):
        mode = os.stat(file).st_mode
        access = ("r" if mode & stat.S_IRUSR else "") + ("w" if mode & stat.S_IWUSR else "")
        if access:
            found[access].append(os.path.relpath(file, path))
    return found


def _files(directory: str) -> Iterator[str]:
    for parent, _, names in os.walk(directory):
        yield from (path for path in (os.path.join(parent, name) for name in names) if os.path.isfile(path))


def _tree(directory: str) -> dict[str, Any]:
    """Return {name: value or subtree} of all readable attributes."""
    known = interfaces(directory)
    tree: dict[str, Any] = {}
    for relative in known["r"] + known["rw"]:
        value = _value(os.path.join(directory, relative))
        if value is not False:
            *parents, name = relative.split("/")
            place = tree
            for parent in parents:
                place = place.setdefault(parent, {})
            place[name] = value
    return tree


def _value(path: str) -> Any:
    """Return an attribute, read without blocking because some attributes are pipes."""
    try:
        with os.fdopen(os.open(path, os.O_RDONLY | os.O_NONBLOCK), encoding="utf-8") as file:
            text = file.read().strip()
    except (OSError, UnicodeDecodeError):
        return False
    for kind in (int, float):
        with contextlib.suppress(ValueError):
            return kind(text)
    return text or False

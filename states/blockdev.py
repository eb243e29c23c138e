"""Block devices: their settings, and file systems on them."""

from __future__ import annotations

import os
import time
from typing import Any

from salt_g.api import call, functions, opts, own_arguments
from salt_g.process.command import which
from salt_g.shapes import StateReturn
from salt_g.states._extra_keywords import takes
from salt_g.states._outcome import as_wanted, changed, failed, would_change

#: Arguments of `tuned`, and their names in `disk.dump`.
_SETTINGS = {
    "read-ahead": "getra",
    "filesystem-read-ahead": "getfra",
    "read-only": "getro",
    "read-write": "getro",
}
#: Number of checks for a new file system, and the interval between them (s).
_TRIES, _PAUSE = 10, 3


def __virtual__() -> str | tuple[bool, str]:
    if "disk.tune" in functions:
        return "blockdev"
    return False, "Cannot load the blockdev state module: disk execution module not found"


@takes("disk.tune")
def tuned(name: str, **kwargs: Any) -> StateReturn:
    """Set `read-ahead`, `filesystem-read-ahead` (sectors), `read-only` or `read-write` (True) of a device.

    Example::

        salt-g state.single blockdev.tuned /dev/sda read-ahead=1024
    """
    if not call("file.is_blkdev", name):
        return failed(name, f"Changes to {name} cannot be applied. Not a block device.")
    if opts["test"]:
        return would_change(name, f"Changes to {name} will be applied ")
    given = own_arguments(kwargs)
    before = call("disk.dump", name)
    after = call("disk.tune", name, **given)
    if not after:
        return failed(name, f"Failed to modify block device {name}")
    changes = {
        key: _difference(key, value, before[_SETTINGS[key]], after[_SETTINGS[key]])
        for key, value in given.items()
        if key in _SETTINGS and before[_SETTINGS[key]] != after[_SETTINGS[key]]
    }
    if not changes:
        return as_wanted(name, f"Block device {name} already in correct state")
    return changed(name, f"Block device {name} successfully modified ", changes)


@takes("disk.format")
def formatted(name: str, fs_type: str = "ext4", force: bool = False, **kwargs: Any) -> StateReturn:
    """Ensure that a device has a file system of this type; any other file system is replaced.

    `force` creates it even if mkfs finds existing data. Further arguments are those of `disk.format`.

    Example::

        salt-g state.single blockdev.formatted /dev/sdb1 fs_type=xfs
    """
    if not os.path.exists(name):
        return failed(name, f"{name} does not exist")
    before = _file_system(name)
    if before == fs_type:
        return as_wanted(name, f"{name} already formatted with {fs_type}")
    if not which(f"mkfs.{fs_type}"):
        return failed(name, f"Invalid fs_type: {fs_type}")
    if opts["test"]:
        return would_change(name, f"Changes to {name} will be applied ")
    call("disk.format", name, fs_type, force=force, **own_arguments(kwargs))
    now = _awaited(name)
    if now != fs_type:
        return failed(name, f"Failed to format {name}")
    return changed(name, f"{name} has been formatted with {fs_type}", {"new": fs_type, "old": before})


def _difference(key: str, value: Any, before: str, after: str) -> str:
    old: Any = before
    new: Any = after
    if isinstance(value, bool):
        old, new = before == "1", after == "1"
    if key == "read-write":
        old, new = not old, not new
    return f"Changed from {old} to {new}"


def _awaited(name: str) -> str:
    """Wait until a new file system is visible and return its type; '' if none appears."""
    for _ in range(_TRIES):
        found = _file_system(name)
        if found:
            return found
        time.sleep(_PAUSE)
    return ""


def _file_system(name: str) -> str:
    # Bypass blkid's cache, which can be outdated for two seconds after a change.
    words = ["blkid", "-c", "/dev/null", "-o", "value", "-s", "TYPE", name]
    return str(call("cmd.run", words, ignore_retcode=True, python_shell=False))

"""What is mounted where, now and at every boot; swap space too.

Begin with `mounting.py` (now) and `table.py` (at boot).
"""

from __future__ import annotations

from salt_g.api import grains
from salt_g.modules.mount.automounting import automaster, rm_automaster, set_automaster
from salt_g.modules.mount.mounting import (
    active,
    get_device_from_path,
    get_mount_from_path,
    is_fuse_exec,
    is_mounted,
    mount,
    remount,
    umount,
)
from salt_g.modules.mount.remembering import delete_mount_cache, read_mount_cache, write_mount_cache
from salt_g.modules.mount.swapping import swapoff, swapon, swaps
from salt_g.modules.mount.table import fstab, rm_fstab, set_fstab, vfstab

__all__ = [
    "active",
    "automaster",
    "delete_mount_cache",
    "fstab",
    "get_device_from_path",
    "get_mount_from_path",
    "is_fuse_exec",
    "is_mounted",
    "mount",
    "read_mount_cache",
    "remount",
    "rm_automaster",
    "rm_fstab",
    "set_automaster",
    "set_fstab",
    "swapoff",
    "swapon",
    "swaps",
    "umount",
    "vfstab",
    "write_mount_cache",
]


def __virtual__() -> bool | tuple[bool, str]:
    if grains.get("kernel") == "Linux":
        return True
    return False, "The mount module could not be loaded: only available on Linux systems."

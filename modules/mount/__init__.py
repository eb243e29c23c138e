"""Mounts, active and at boot; swap space. Begin with `mount_points.py` (active) and `fstab.py` (at boot)."""

from __future__ import annotations

from salt_g.api import grains
from salt_g.modules.mount.automaster import automaster, rm_automaster, set_automaster
from salt_g.modules.mount.fstab import fstab, rm_fstab, set_fstab, vfstab
from salt_g.modules.mount.mount_points import (
    active,
    get_device_from_path,
    get_mount_from_path,
    is_fuse_exec,
    is_mounted,
    mount,
    remount,
    umount,
)
from salt_g.modules.mount.remembered_options import delete_mount_cache, read_mount_cache, write_mount_cache
from salt_g.modules.mount.swap import swapoff, swapon, swaps

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

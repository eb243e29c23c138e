"""Logical volumes, managed by LVM2 (`lvm.*`).

Begin with `display.py` (listings); then a file for each layer: `physical.py` (disks), `groups.py` (groups of
disks), `logical.py` (volumes for file systems).
"""

from __future__ import annotations

from salt_g.modules._required import hint
from salt_g.modules.linux_lvm.display import fullversion, lvdisplay, pvdisplay, version, vgdisplay
from salt_g.modules.linux_lvm.groups import vgcreate, vgextend, vgremove
from salt_g.modules.linux_lvm.logical import lvcreate, lvextend, lvremove, lvresize
from salt_g.modules.linux_lvm.physical import pvcreate, pvremove, pvresize
from salt_g.process.command import which

__virtualname__ = "lvm"

__all__ = [
    "fullversion",
    "lvcreate",
    "lvdisplay",
    "lvextend",
    "lvremove",
    "lvresize",
    "pvcreate",
    "pvdisplay",
    "pvremove",
    "pvresize",
    "version",
    "vgcreate",
    "vgdisplay",
    "vgextend",
    "vgremove",
]


def __virtual__() -> str | tuple[bool, str]:
    if which("lvm"):
        return __virtualname__
    why = "The linux_lvm execution module cannot be loaded: the lvm binary is not in the path."
    return False, why + hint("lvm")

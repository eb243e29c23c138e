"""Disks of this machine: usage, file systems and hardware (`disk.*`).

Begin with `space.py` (usage), then `devices.py` (block devices and their file systems) and `drives.py` (the
hardware).
"""

from salt_g.modules.disk.devices import (
    blkid,
    dump,
    format_,
    fstype,
    get_fstype_from_path,
    resize2fs,
    tune,
    wipe,
)
from salt_g.modules.disk.drives import hdparms, hpa, iostat, smart_attributes
from salt_g.modules.disk.space import inodeusage, percent, usage

__all__ = [
    "blkid",
    "dump",
    "format_",
    "fstype",
    "get_fstype_from_path",
    "hdparms",
    "hpa",
    "inodeusage",
    "iostat",
    "percent",
    "resize2fs",
    "smart_attributes",
    "tune",
    "usage",
    "wipe",
]

__func_alias__ = {"format_": "format"}

"""Grains of disks: rotating and solid-state, software RAID, volume groups, fibre channel."""

from __future__ import annotations

import os

from salt_g.grains._sources import below, is_directory, names, output, text, which
from salt_g.grains._volume_labels import may_have_groups

__virtualname__ = "core"


def disks(root: str = "/") -> dict[str, list[str]]:
    """Return `disks` (rotating) and `ssds`, without virtual block devices (loop, ram, dm)."""
    found: dict[str, list[str]] = {"disks": [], "ssds": []}
    for name in _block_devices(root):
        rotational = (text(f"/sys/block/{name}/queue/rotational", root) or "")[:1]
        if rotational == "1":
            found["disks"].append(name)
        elif rotational == "0":
            found["ssds"].append(name)
    return found


def mdadm(root: str = "/") -> dict[str, list[str]]:
    """Return the software RAID devices of /proc/mdstat."""
    status = text("/proc/mdstat", root)
    if status is None:
        return {}
    devices = {line.split(" : ")[0] for line in status.splitlines() if " : " in line}
    return {"mdadm": sorted(devices - {"Personalities"})}


def lvm() -> dict[str, dict[str, list[str]]]:
    """Return the logical volumes of each volume group."""
    if which("lvm") is None:
        return {}
    listed = output("lvm", "vgs", "-o", "vg_name", "--noheadings") if may_have_groups() else ""
    groups = (listed or "").split()
    return {"lvm": {group: _volumes(group) for group in groups}}


def fibre_channel_host(root: str = "/") -> dict[str, bool]:
    """Return whether this machine has a fibre channel adapter."""
    return {"fibre_channel_host": is_directory("/sys/class/fc_host", root)}


def _block_devices(root: str) -> list[str]:
    return [name for name in names("/sys/block", root) if not _is_virtual(name, root)]


def _is_virtual(name: str, root: str) -> bool:
    try:
        return os.readlink(below(root, f"/sys/block/{name}")).startswith("../devices/virtual/")
    except OSError:
        return False


def _volumes(group: str) -> list[str]:
    return (output("lvm", "lvs", "-o", "lv_name", "--noheadings", group) or "").split()

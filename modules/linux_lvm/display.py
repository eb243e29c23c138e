"""LVM's version, physical volumes, volume groups and logical volumes."""

from __future__ import annotations

import os

from salt_g.modules._programs import output
from salt_g.modules.linux_lvm._lvm import table

_PHYSICAL = (
    *("Physical Volume Device", "Volume Group Name", "Physical Volume Size (kB)"),
    *("Internal Physical Volume Number", "Physical Volume Status", "Physical Volume (not) Allocatable"),
    *("Current Logical Volumes Here", "Physical Extent Size (kB)", "Total Physical Extents"),
    *("Free Physical Extents", "Allocated Physical Extents"),
)
_GROUP = (
    *("Volume Group Name", "Volume Group Access", "Volume Group Status", "Internal Volume Group Number"),
    *("Maximum Logical Volumes", "Current Logical Volumes", "Open Logical Volumes"),
    *("Maximum Logical Volume Size", "Maximum Physical Volumes", "Current Physical Volumes"),
    *("Actual Physical Volumes", "Volume Group Size (kB)", "Physical Extent Size (kB)"),
    *("Total Physical Extents", "Allocated Physical Extents", "Free Physical Extents", "UUID"),
)
_LOGICAL = (
    *("Logical Volume Name", "Volume Group Name", "Logical Volume Access", "Logical Volume Status"),
    *("Internal Logical Volume Number", "Open Logical Volumes", "Logical Volume Size"),
    *("Current Logical Extents Associated", "Allocated Logical Extents", "Allocation Policy"),
    *("Read Ahead Sectors", "Major Device Number", "Minor Device Number"),
)


def version() -> str:
    """Return the version of LVM.

    Example::

        salt-g lvm.version
    """
    return fullversion().get("LVM version", "")


def fullversion() -> dict[str, str]:
    """Return all versions reported by LVM, by component.

    Example::

        salt-g lvm.fullversion
    """
    rows = (line.partition(":") for line in output(["lvm", "version"]).splitlines())
    return {name.strip(): value.partition(":")[0].strip() for name, between, value in rows if between}


def pvdisplay(pvname: str = "", real: bool = False, quiet: bool = False) -> dict[str, dict[str, str]]:
    """Return {device: {column: text}} of physical volumes, or {} if none has that name.

    `real` shows the resolved paths of devices; `quiet` is ignored, because failures are never logged.

    Example::

        salt-g lvm.pvdisplay /dev/md0
    """
    found = table("pvdisplay", pvname, _PHYSICAL)
    if not real:
        return found
    resolved = {os.path.realpath(device): row for device, row in found.items()}
    return {device: {**row, "Real Physical Volume Device": device} for device, row in resolved.items()}


def vgdisplay(vgname: str = "", quiet: bool = False) -> dict[str, dict[str, str]]:
    """Return {name: {column: text}} of volume groups, or {} if none has that name.

    Example::

        salt-g lvm.vgdisplay nova-volumes
    """
    return table("vgdisplay", vgname, _GROUP)


def lvdisplay(lvname: str = "", quiet: bool = False) -> dict[str, dict[str, str]]:
    """Return {path: {column: text}} of logical volumes, or {} if none has that name.

    Sizes are sectors of 512 bytes.

    Example::

        salt-g lvm.lvdisplay /dev/vg_myserver/root
    """
    return table("lvdisplay", lvname, _LOGICAL)

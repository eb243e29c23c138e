"""Disks and partitions as physical volumes."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

from salt_g.modules._programs import act, run
from salt_g.modules.linux_lvm._lvm import consent, names, options
from salt_g.modules.linux_lvm.display import pvdisplay

_VALUED = (
    *("metadatasize", "dataalignment", "dataalignmentoffset", "pvmetadatacopies", "metadatacopies"),
    *("metadataignore", "restorefile", "labelsector", "setphysicalvolumesize"),
)
_BARE = ("norestorefile",)


def pvcreate(
    devices: str | Sequence[str], override: bool = True, force: bool = True, **kwargs: Any
) -> bool | str:
    """Initialize devices as physical volumes; return True, or an error text.

    With `override`, devices that are physical volumes already are skipped; without it, they are an error.
    `force` answers questions of the program with yes. Further arguments are options of pvcreate(8).

    Example::

        salt-g lvm.pvcreate /dev/sdb1,/dev/sdb2 dataalignmentoffset=7s
    """
    if not devices:
        return "Error: at least one device is required"
    new = []
    for device in names(devices):
        if not os.path.exists(device):
            return f"{device} does not exist"
        if not pvdisplay(device):
            new.append(device)
        elif not override:
            return f'Device "{device}" is already an LVM physical volume.'
    if not new:
        return True
    finished = run(["pvcreate", consent(force), *new, *options(kwargs, _VALUED, _BARE)])
    if finished["retcode"]:
        return finished["stderr"]
    untouched = [device for device in new if not pvdisplay(device)]
    return f'Device "{untouched[0]}" was not affected.' if untouched else True


def pvremove(devices: str | Sequence[str], override: bool = True, force: bool = True) -> bool | str:
    """Remove the physical volume labels of devices; return True, or an error text.

    With `override`, devices that are not physical volumes are skipped; without it, they are an error.

    Example::

        salt-g lvm.pvremove /dev/sdb1,/dev/sdb2
    """
    done = _on_volumes("pvremove", devices, override, force)
    if done is not True:
        return done
    left = [device for device in names(devices) if pvdisplay(device)]
    return f'Device "{left[0]}" was not affected.' if left else True


def pvresize(devices: str | Sequence[str], override: bool = True, force: bool = True) -> bool | str:
    """Resize physical volumes to the sizes of their devices; return True, or an error text.

    `override` is that of `lvm.pvremove`.

    Example::

        salt-g lvm.pvresize /dev/sdb1,/dev/sdb2
    """
    return _on_volumes("pvresize", devices, override, force)


def _on_volumes(program: str, devices: str | Sequence[str], override: bool, force: bool) -> bool | str:
    """Run a program on those devices that are physical volumes; without `override` all must be."""
    volumes = [device for device in names(devices) if pvdisplay(device)]
    others = [device for device in names(devices) if device not in volumes]
    if others and not override:
        return f"{others[0]} is not a physical volume"
    if not volumes:
        return True
    finished = act([program, consent(force), *volumes])
    return finished["stderr"] if finished["retcode"] else True

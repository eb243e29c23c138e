"""`lvm.vg_present` and `lvm.vg_absent`: groups of physical volumes."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

from salt_g.api import call, opts, own_arguments
from salt_g.shapes import StateReturn
from salt_g.states._extra_keywords import takes
from salt_g.states._outcome import as_wanted, changed, failed, outcome, would_change
from salt_g.states.lvm._failure import with_reason

#: Values reported as the volume group of a physical volume that has none.
_FREE = ("", "#orphans_lvm2")


@takes("lvm.vgcreate")
def vg_present(name: str, devices: str | Sequence[str] | None = None, **kwargs: Any) -> StateReturn:
    """Ensure that a volume group has these devices; further arguments are options of vgcreate(8).

    Example::

        salt-g state.single lvm.vg_present my_vg devices=/dev/sdb1,/dev/sdb2
    """
    listed = devices.split(",") if isinstance(devices, str) else list(devices or [])
    if call("lvm.vgdisplay", name, quiet=True):
        return _extended(name, listed)
    if opts["test"]:
        return would_change(name, f"Volume Group {name} is set to be created")
    done = call("lvm.vgcreate", name, listed, **own_arguments(kwargs))
    if call("lvm.vgdisplay", name):
        return changed(name, f"Created Volume Group {name}", {"created": done})
    return failed(name, with_reason(f"Failed to create Volume Group {name}", done))


def vg_absent(name: str) -> StateReturn:
    """Ensure that a volume group does not exist.

    Example::

        salt-g state.single lvm.vg_absent my_vg
    """
    if not call("lvm.vgdisplay", name, quiet=True):
        return as_wanted(name, f"Volume Group {name} already absent")
    if opts["test"]:
        return would_change(name, f"Volume Group {name} is set to be removed")
    done = call("lvm.vgremove", name)
    if call("lvm.vgdisplay", name, quiet=True):
        return failed(name, with_reason(f"Failed to remove Volume Group {name}", done))
    return changed(name, f"Removed Volume Group {name}", {"removed": done})


def _extended(name: str, devices: list[str]) -> StateReturn:
    """Add missing devices to a group; in test mode, report them."""
    result: bool | None = True
    comments, changes = [f"Volume Group {name} already present"], {}
    for device in devices:
        group = _group_of(device)
        if group == name:
            comments.append(f"{device} is part of Volume Group")
        elif group in _FREE and opts["test"]:
            comments.append(f"{device} is set to be added")
            result = None if result else result
        elif group in _FREE and _add(name, device):
            changes[device] = f"added to {name}"
        else:
            comments.append(_refusal(device, group))
            result = False
    return outcome(name, result, "\n".join(comments), changes)


def _group_of(device: str) -> str | None:
    """Return the group of a device, one of `_FREE` if it has none; None if it is not a physical volume."""
    real = os.path.realpath(device)
    known = call("lvm.pvdisplay", real, real=True).get(real)
    return known["Volume Group Name"] if known else None


def _add(name: str, device: str) -> bool:
    call("lvm.vgextend", name, device)
    return _group_of(device) == name


def _refusal(device: str, group: str | None) -> str:
    if group is None:
        return f"pv {device} is not present"
    return f"{device} could not be added" if group in _FREE else f"{device} is part of {group}"

"""`lvm.pv_present` and `lvm.pv_absent`: physical volumes."""

from __future__ import annotations

from typing import Any

from salt_g.api import call, opts, own_arguments
from salt_g.shapes import StateReturn
from salt_g.states._extra_keywords import takes
from salt_g.states._outcome import as_wanted, changed, failed, would_change
from salt_g.states.lvm._failure import with_reason


@takes("lvm.pvcreate")
def pv_present(name: str, **kwargs: Any) -> StateReturn:
    """Ensure that a device is a physical volume; further arguments are options of pvcreate(8).

    Example::

        salt-g state.single lvm.pv_present /dev/sdb1
    """
    if call("lvm.pvdisplay", name, quiet=True):
        return as_wanted(name, f"Physical Volume {name} already present")
    if opts["test"]:
        return would_change(name, f"Physical Volume {name} is set to be created")
    done = call("lvm.pvcreate", name, **own_arguments(kwargs))
    if call("lvm.pvdisplay", name):
        return changed(name, f"Created Physical Volume {name}", {"created": done})
    return failed(name, with_reason(f"Failed to create Physical Volume {name}", done))


def pv_absent(name: str) -> StateReturn:
    """Ensure that a device is not a physical volume.

    Example::

        salt-g state.single lvm.pv_absent /dev/sdb1
    """
    if not call("lvm.pvdisplay", name, quiet=True):
        return as_wanted(name, f"Physical Volume {name} does not exist")
    if opts["test"]:
        return would_change(name, f"Physical Volume {name} is set to be removed")
    done = call("lvm.pvremove", name)
    if call("lvm.pvdisplay", name, quiet=True):
        return failed(name, with_reason(f"Failed to remove Physical Volume {name}", done))
    return changed(name, f"Removed Physical Volume {name}", {"removed": done})

"""`mount.unmounted`: an unmounted directory, now and (`persist`) at boot."""

from __future__ import annotations

from typing import Any

from salt_g.api import call, opts
from salt_g.shapes import StateReturn
from salt_g.states._outcome import failed, outcome, would_change


def unmounted(
    name: str,
    device: str | None = None,
    config: str = "/etc/fstab",
    persist: bool = False,
    user: str | None = None,
    **kwargs: Any,
) -> StateReturn:
    """Ensure that nothing is mounted at `name`; `persist` also removes the entry from `config`.

    With `device`, this device is passed to umount(8), and an entry for another device is kept.

    Example::

        salt-g state.single mount.unmounted /mnt/data
    """
    if not name:
        return failed(name, "Must provide name to mount.unmounted")
    returned = outcome(name, True, "Target was already unmounted")
    if name.replace(" ", "\\040") in call("mount.active", extended=True):
        if opts["test"]:
            return would_change(name, f"Mount point {name} is mounted but should not be")
        done = (
            call("mount.umount", name, device, user=user) if device else call("mount.umount", name, user=user)
        )
        if isinstance(done, str):
            returned = failed(name, done)
        else:
            returned = outcome(name, True, "Target was successfully unmounted", {"umount": True})
    return _forget(returned, name, device, config) if persist else returned


def _forget(returned: StateReturn, name: str, device: str | None, config: str) -> StateReturn:
    entry = call("mount.fstab", config).get(name)
    if entry is None:
        returned["comment"] += ". fstab entry not found"
    elif device and entry["device"] != device:
        returned["comment"] += f". fstab entry for device {device} not found"
    elif opts["test"]:
        what = f"is unmounted but needs to be purged from {config} to be made persistent"
        return would_change(name, f"Mount point {name} {what}")
    elif call("mount.rm_fstab", name, device, config) is True:
        returned["comment"] += ". Removed target from fstab"
        returned["changes"]["persist"] = "purged"
    else:
        returned["result"] = False
        returned["comment"] += ". Failed to persist purge"
    return returned

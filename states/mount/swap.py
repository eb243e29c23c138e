"""`mount.swap`: active swap space, now and at boot."""

from __future__ import annotations

import os

from salt_g.api import call, opts
from salt_g.shapes import StateReturn
from salt_g.states._outcome import outcome


def swap(name: str, persist: bool = True, config: str = "/etc/fstab") -> StateReturn:
    """Ensure that a device or file is used as swap space; `persist` writes it to `config`.

    Example::

        salt-g state.single mount.swap /swapfile
    """
    returned, is_on = _activate(name)
    if not persist:
        return returned
    entries = call("mount.fstab", config)
    if opts["test"]:
        is_kept = name in entries or name in [entry["device"] for entry in entries.values()]
        if not is_kept:
            returned["result"] = None
            if is_on:
                returned["comment"] = f"Swap {name} is set to be added to the fstab and to be activated"
        return returned
    none = entries.get("none")
    if none and none["device"] == name and none["fstype"] != "swap":
        return returned
    done = call("mount.set_fstab", "none", name, "swap", ["defaults"], 0, 0, config, match_on="device")
    if done != "present":
        returned["changes"]["persist"] = {"new": "new", "change": "update"}[done]
        what = "Added new entry to the fstab." if done == "new" else "Updated the entry in the fstab."
        returned["comment"] += f". {what}"
    return returned


def _activate(name: str) -> tuple[StateReturn, bool]:
    """Activate swap space; return the state return and whether it was active before."""
    target = os.path.realpath(name) if os.path.islink(name) else name
    if target in call("mount.swaps"):
        return outcome(name, True, f"Swap {name} already active"), True
    if opts["test"]:
        return outcome(name, None, f"Swap {name} is set to be activated"), False
    call("mount.swapon", target)
    now = call("mount.swaps").get(target)
    if now is None:
        return outcome(name, False, f"Swap {name} failed to activate"), False
    return outcome(name, True, f"Swap {name} activated", dict(now)), False

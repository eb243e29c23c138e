"""States of the keyboard layout."""

from __future__ import annotations

from salt_g.api import call, functions, opts
from salt_g.shapes import StateReturn
from salt_g.states._outcome import as_wanted, changed, would_change


def __virtual__() -> bool | tuple[bool, str]:
    return True if "keyboard.get_sys" in functions else (False, "keyboard module could not be loaded")


def system(name: str) -> StateReturn:
    """Ensure that the console has a keyboard layout.

    Example::

        salt-g state.single keyboard.system us
    """
    return _kept(name, "sys", "System", "system")


def xorg(name: str) -> StateReturn:
    """Ensure that the running X server has a keyboard layout.

    Example::

        salt-g state.single keyboard.xorg us
    """
    return _kept(name, "x", "XOrg", "XOrg")


def _kept(name: str, function: str, noun: str, noun_inside: str) -> StateReturn:
    if call(f"keyboard.get_{function}") == name:
        return as_wanted(name, f"{noun} layout {name} already set")
    if opts["test"]:
        return would_change(name, f"{noun} layout {name} needs to be set")
    call(f"keyboard.set_{function}", name)
    return changed(name, f"Set {noun_inside} keyboard layout {name}", {"layout": name})

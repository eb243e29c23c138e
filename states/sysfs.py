"""States of kernel attributes below /sys."""

from __future__ import annotations

import re
from typing import Any

from salt_g.api import call, functions, opts
from salt_g.shapes import StateReturn
from salt_g.states._outcome import as_wanted, changed, failed, would_change

#: Attributes with a choice of values show the selected one in brackets: `always [madvise] never`.
_CHOSEN = re.compile(r"\[([^]]*)\]")


def __virtual__() -> bool | tuple[bool, str]:
    return True if "sysfs.attr" in functions else (False, "sysfs module could not be loaded")


def present(name: str, value: Any, config: Any = None) -> StateReturn:
    """Ensure that an attribute has a value until the next reboot. `config` is ignored.

    Example::

        salt-g state.single sysfs.present kernel/mm/transparent_hugepage/enabled value=never
    """
    now = call("sysfs.read", name)
    if now is False:
        return failed(name, f"SysFS attribute {name} doesn't exist.")
    if isinstance(now, dict):
        return failed(name, f"{name} is not a SysFS attribute.")
    chosen = _CHOSEN.search(now) if isinstance(now, str) else None
    if value == (chosen[1] if chosen else now):
        return as_wanted(name, f"SysFS attribute {name} is already set.")
    if opts["test"]:
        return would_change(name, f"SysFS attribute {name} set to be changed.")
    if not call("sysfs.write", name, value):
        return failed(name, f"Failed to set {name} to {value}")
    return changed(name, f"Updated SysFS attribute {name} to {value}", {name: value})

"""States that enable or disable Apache modules, sites and configuration files.

Source: stock's `apache_module`, `apache_site` and `apache_conf`, which differ in one word.
"""

from __future__ import annotations

from salt_g.api import call, opts
from salt_g.shapes import StateReturn
from salt_g.states._outcome import as_wanted, changed, failed, would_change

#: Name of each kind in comments, and its short name in the functions of `apache`.
SHORT = {"module": "mod", "site": "site", "conf": "conf"}


def enabled(name: str, what: str) -> StateReturn:
    """Enable a module, site or configuration file."""
    if call(f"apache.check_{SHORT[what]}_enabled", name):
        return as_wanted(name, f"{name} already enabled.")
    return _switch(name, what, "enable", {"old": None, "new": name})


def disabled(name: str, what: str) -> StateReturn:
    """Disable a module, site or configuration file."""
    if not call(f"apache.check_{SHORT[what]}_enabled", name):
        return as_wanted(name, f"{name} already disabled.")
    return _switch(name, what, "disable", {"old": name, "new": None})


def _switch(name: str, what: str, verb: str, changes: dict[str, str | None]) -> StateReturn:
    if opts["test"]:
        return would_change(name, f"Apache {what} {name} is set to be {verb}d.", changes)
    status = call(f"apache.a2{verb[:-4]}{SHORT[what]}", name)["Status"]
    if isinstance(status, str) and f"{verb}d" in status:
        return changed(name, "", changes)
    why = f" ({status})" if isinstance(status, str) else ""
    return failed(name, f"Failed to {verb} {name} Apache {what}{why}")

"""States of kernel settings, now and at boot."""

from __future__ import annotations

from typing import Any

from salt_g.api import call, functions, opts
from salt_g.errors import CommandExecutionError
from salt_g.shapes import StateReturn
from salt_g.states._outcome import as_wanted, changed, failed, would_change


def __virtual__() -> bool | tuple[bool, str]:
    return True if "sysctl.show" in functions else (False, "sysctl module could not be loaded")


def present(name: str, value: Any, config: str | None = None) -> StateReturn:
    """Ensure that a kernel setting has a value, now and (in the file `config`) at every boot.

    Example::

        salt-g state.single sysctl.present vm.swappiness value=20
    """
    if config is None:
        has_default = "sysctl.default_config" in functions
        config = call("sysctl.default_config") if has_default else "/etc/sysctl.conf"
    if opts["test"]:
        return _would_set(name, value, str(config))
    try:
        returned = call("sysctl.persist", name, value, config)
    except CommandExecutionError as exc:
        return failed(name, f"Failed to set {name} to {value}: {exc}")
    if returned == "Updated":
        return changed(name, f"Updated sysctl value {name} = {value}", {name: value})
    return as_wanted(name, f"Sysctl value {name} = {value} is already set")


def _would_set(name: str, value: Any, config: str) -> StateReturn:
    kept = call("sysctl.show", config_file=config)
    if kept is None:
        return would_change(
            name,
            f"Sysctl option {name} might be changed, we failed to check config file at {config}. The file "
            "is either unreadable, or missing.",
        )
    now, is_kept = call("sysctl.get", name), name in kept
    is_set = bool(now) and now.split() == str(value).split()
    if is_kept and is_set:
        return as_wanted(name, f"Sysctl value {name} = {value} is already set")
    if is_kept and not now:
        return would_change(
            name,
            f"Sysctl value {name} is present in configuration file but is not present in the running "
            f"config. The value {name} is set to be changed to {value}",
        )
    if now and not is_kept and is_set:
        return would_change(
            name,
            "Sysctl value is currently set on the running system but not in a config file. Sysctl option "
            f"{name} set to be changed to {value} in config file.",
        )
    if now and not is_kept:
        return would_change(name, f"Sysctl option {name} set to be changed to {value}")
    return would_change(name, f"Sysctl option {name} would be changed to {value}")

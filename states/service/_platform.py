"""Capabilities of the platform's `service` module."""

from __future__ import annotations

import inspect
import os
import time
from collections.abc import Mapping
from typing import Any

from salt_g.api import call, functions

#: Arguments supported by systemd only.
_SYSTEMD_ONLY = ("no_block", "unmask", "unmask_runtime")
#: Directory that exists if the machine was booted with systemd, see sd_booted(3).
BOOTED_MARK = "/run/systemd/system"


def is_offline() -> bool:
    """Return whether services can be configured here but not run (a chroot, a container)."""
    return "service.offline" in functions and bool(call("service.offline"))


def is_available(name: str) -> bool:
    """Return whether a service exists; raises CommandExecutionError if that cannot be determined."""
    if "service.available" in functions:
        return bool(call("service.available", name))
    return "service.get_all" in functions and name in call("service.get_all")


def is_enabled(name: str) -> bool:
    """Return whether a service is enabled at boot; True if that cannot be determined."""
    return bool(call("service.enabled", name)) if "service.enabled" in functions else True


def systemd_arguments(function: str, given: Mapping[str, Any]) -> tuple[dict[str, Any], list[str]]:
    """Return the arguments that a function supports here, and warnings about systemd-only ones."""
    taken = inspect.signature(functions[function]).parameters
    known = {key: given[key] for key in _SYSTEMD_ONLY if key in given and key in taken}
    if not known or os.path.exists(BOOTED_MARK):
        return known, []
    return {}, [f"The '{key}' argument is not supported by this platform" for key in known]


def as_bool(enable: Any) -> Any:
    """Convert `enable` to a bool if it is text (`true` or `1`: True), else return it unchanged."""
    return enable.lower() in ("true", "1") if isinstance(enable, str) else enable


def wait(seconds: float | None) -> None:
    """Wait for a service to settle, as the state's `init_delay` asks."""
    if seconds:
        time.sleep(seconds)

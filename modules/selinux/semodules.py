"""Modules of the policy."""

from __future__ import annotations

from typing import Any

from salt_g.api import call
from salt_g.errors import InvocationError
from salt_g.modules._programs import acts, output


def list_semod() -> dict[str, dict[str, Any]]:
    """Return {module of the policy: {"Enabled", "Version"}}; semodule no longer reports versions.

    Example::

        salt-g selinux.list_semod
    """
    rows = (line.split() for line in output(["semodule", "--list-modules=full"]).splitlines())
    # `100 name pp`, and a fourth word for one that is disabled.
    return {row[1]: {"Enabled": len(row) != 4, "Version": None} for row in rows if len(row) > 1}


def getsemod(module: str) -> dict[str, Any]:
    """Return information about a module of the policy, or {} if it does not exist.

    Example::

        salt-g selinux.getsemod sensord
    """
    return list_semod().get(module, {})


def setsemod(module: str, state: str) -> bool:
    """Enable or disable a module of the policy.

    Example::

        salt-g selinux.setsemod sensord Enabled
    """
    option = {"enabled": "--enable", "disabled": "--disable"}.get(str(state).lower())
    if option is None:
        raise InvocationError(f"Invalid state {state}. Valid: enabled, disabled")
    return acts(["semodule", option, module])


def install_semod(module_path: str) -> bool:
    """Install a module of the policy from a file or `salt://` URL.

    Example::

        salt-g selinux.install_semod salt://policy/sensord.pp
    """
    path = call("cp.cache_file", module_path) if module_path.startswith("salt://") else module_path
    return bool(path) and acts(["semodule", "--install", path])


def remove_semod(module: str) -> bool:
    """Remove a module of the policy.

    Example::

        salt-g selinux.remove_semod sensord
    """
    return acts(["semodule", "--remove", module])

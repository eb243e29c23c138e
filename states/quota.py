"""States of quota enforcement."""

from __future__ import annotations

from salt_g.api import call, functions, opts
from salt_g.errors import CommandExecutionError
from salt_g.shapes import StateReturn
from salt_g.states._outcome import as_wanted, changed, failed, would_change


def __virtual__() -> bool | tuple[bool, str]:
    return True if "quota.report" in functions else (False, "quota module could not be loaded")


def mode(name: str, mode: bool, quotatype: str) -> StateReturn:
    """Ensure that quotas of a file system are enforced (`mode` True), or not.

    name
        The mount point.
    quotatype
        The quotas to check, `user` or `group`.

    Example::

        salt-g state.single quota.mode /home mode=True quotatype=user
    """
    wanted = "on" if mode is True else "off"
    known = call("quota.get_mode", name).get(name)
    if not isinstance(known, dict):
        return failed(name, f"Failed to set quota for {name} to {wanted}: {name} has no quotas ({known})")
    if known.get(quotatype) == wanted:
        return as_wanted(name, f"Quota for {name} already set to {wanted}")
    if opts["test"]:
        return would_change(name, f"Quota for {name} needs to be set to {wanted}")
    try:
        call(f"quota.{wanted}", name)
    except CommandExecutionError as exc:
        return failed(name, f"Failed to set quota for {name} to {wanted}: {exc}")
    return changed(name, f"Set quota for {name} to {wanted}", {"quota": name})

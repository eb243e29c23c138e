"""Packages held at their installed version.

Shapes: {name: {"name", "changes", "result", "comment"}}, in the form of a state return for each package.
"""

from __future__ import annotations

from typing import Any

from salt_g.api import opts
from salt_g.modules._packages import hold_result, hold_targets
from salt_g.modules.aptpkg.selections import get_selections, set_selections


def hold(name: str | None = None, pkgs: Any = None, sources: Any = None, **kwargs: Any) -> dict[str, Any]:
    """Hold packages, so that upgrades leave them unchanged.

    Example::

        salt-g pkg.hold bash
    """
    return {target: _hold(target) for target in hold_targets(name, pkgs, sources)}


def unhold(name: str | None = None, pkgs: Any = None, sources: Any = None, **kwargs: Any) -> dict[str, Any]:
    """Allow upgrades of packages again.

    Example::

        salt-g pkg.unhold bash
    """
    return {target: _unhold(target) for target in hold_targets(name, pkgs, sources)}


def get_hold() -> list[str]:
    """Return the names of the packages on hold.

    Example::

        salt-g pkg.get_hold
    """
    return get_selections(state="hold")["hold"]


def _hold(target: str) -> dict[str, Any]:
    if get_selections(pattern=target, state="hold")["hold"]:
        return hold_result(target, True, f"Package {target} is already set to be held.")
    if opts["test"]:
        return hold_result(target, None, f"Package {target} is set to be held.")
    changes = set_selections(selection={"hold": [target]})
    if target not in changes:
        return hold_result(target, False, f"Package {target} could not be held.")
    return hold_result(target, True, f"Package {target} is now being held.", changes[target])


def _unhold(target: str) -> dict[str, Any]:
    selected = get_selections(pattern=target)
    if not selected:
        return hold_result(target, False, f"Package {target} does not have a state.")
    if not selected.get("hold"):
        return hold_result(target, True, f"Package {target} is already set not to be held.")
    if opts["test"]:
        return hold_result(target, None, f"Package {target} is set not to be held.")
    changes = set_selections(selection={"install": [target]})
    if target not in changes:
        return hold_result(target, False, f"Package {target} could not be unheld.")
    return hold_result(target, True, f"Package {target} is no longer being held.", changes[target])

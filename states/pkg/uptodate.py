"""`pkg.uptodate`: an upgrade of all packages."""

from __future__ import annotations

from typing import Any

from salt_g.api import call, functions, opts
from salt_g.errors import CommandExecutionError
from salt_g.shapes import StateReturn
from salt_g.states._error_comment import changes_of, described
from salt_g.states._outcome import as_wanted, changed, failed, would_change


def uptodate(name: str, refresh: bool = False, pkgs: Any = None, **kwargs: Any) -> StateReturn:
    """Ensure that all packages, or only those in `pkgs`, have the newest available version.

    `refresh` refreshes the package lists first; all other arguments are passed to `pkg.upgrade`.

    Example::

        salt-g state.single pkg.uptodate all refresh=True
    """
    if "pkg.list_upgrades" not in functions:
        return failed(name, "State pkg.uptodate is not available")
    if not isinstance(refresh, bool):
        return failed(name, "refresh must be either True or False")
    if pkgs and "pkg.resolve_capabilities" in functions:
        pkgs, refresh = call("pkg.resolve_capabilities", pkgs, refresh=refresh, **kwargs), False
    try:
        expected = _expected(refresh, pkgs, kwargs)
    except CommandExecutionError as exc:
        return failed(name, str(exc))
    if not expected:
        return as_wanted(name, "System is already up-to-date")
    if opts["test"]:
        return would_change(name, "System update will be performed", expected)
    try:
        changes = call("pkg.upgrade", refresh=refresh, pkgs=pkgs, **kwargs)
    except CommandExecutionError as exc:
        text = described(exc) if exc.info else f"An error was encountered while updating packages: {exc}"
        return failed(name, text, changes_of(exc))
    missed = [each for each in expected if isinstance(pkgs, list) and each not in changes]
    if missed:
        return failed(name, f"The following package(s) failed to update: {', '.join(missed)}", changes)
    return changed(name, "Upgrade ran successfully", changes)


def _expected(refresh: bool, pkgs: Any, more: dict[str, Any]) -> dict[str, Any]:
    """Return {name: {"new", "old"}} of the changes an upgrade would make."""
    upgrades = call("pkg.list_upgrades", refresh=refresh, **more)
    return {
        each: {"new": version, "old": call("pkg.version", each, **more)}
        for each, version in upgrades.items()
        if not isinstance(pkgs, list) or each in pkgs
    }

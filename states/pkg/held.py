"""`pkg.held` and `pkg.unheld`: packages excluded from upgrades."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from salt_g.api import call, functions, opts
from salt_g.shapes import StateReturn
from salt_g.states._outcome import as_wanted, failed, outcome

#: `name-epoch:version.*`, the version lock format of yum and dnf.
_VERSION_LOCK = re.compile(r"(.+)-(\d+):(.*)\.\*")
_NO_LIST = (
    "No any function to get the list of held packages available.\n"
    "Check if the package manager supports package locking."
)
#: {name: {"version", "type"}}
Locks = dict[str, dict[str, Any]]


def held(
    name: str, version: str | None = None, pkgs: Any = None, replace: bool = False, **kwargs: Any
) -> StateReturn:
    """Ensure that packages are held; `replace` unholds all others.

    `pkgs` is a list of names and of one-item mappings of name to version; the default is `name` with
    `version`.

    Example::

        salt-g state.single pkg.held vim
    """
    if isinstance(pkgs, list) and not pkgs and not replace:
        return as_wanted(name, "No packages to be held provided")
    if pkgs is None:
        pkgs = [{name: version} if version else name]
    locks = _locks()
    if locks is None:
        return failed(name, _NO_LIST)
    if "pkg.hold" not in functions:
        return failed(name, "`hold` function is not implemented for the package manager.")
    report = _Report(name)
    wanted = [next(iter(item.items())) if isinstance(item, Mapping) else (item, None) for item in pkgs]
    for item, (package, pinned) in zip(pkgs, wanted, strict=True):
        if package not in locks or (_has_versions() and _lock_version(locks[package]) != pinned):
            _hold(report, item, package, pinned, package in locks)
    if replace:
        kept = {package for package, _ in wanted}
        for package in locks:
            if package not in kept and _is_package(locks[package]):
                _unhold(report, package, None)
    return report.outcome()


def unheld(
    name: str, version: str | None = None, pkgs: Any = None, all: bool = False, **kwargs: Any
) -> StateReturn:
    """Ensure that packages are not held; `all` means every package.

    `version` and `pkgs` are those of `pkg.held`; a lock of another version is kept.

    Example::

        salt-g state.single pkg.unheld vim
    """
    if isinstance(pkgs, list) and not pkgs and not all:
        return as_wanted(name, "No packages to be unheld provided")
    locks = _locks()
    if locks is None:
        return failed(name, _NO_LIST)
    items = [{name: version}] if pkgs is None else pkgs
    wanted = dict(next(iter(item.items())) if isinstance(item, Mapping) else (item, None) for item in items)
    report = _Report(name)
    for package, lock in locks.items():
        locked = _lock_version(lock) if _has_versions() else None
        is_meant = all or (package in wanted and locked in (None, wanted[package]))
        if is_meant and _is_package(lock):
            _unhold(report, package, locked if wanted.get(package) else None)
    return report.outcome()


class _Report:
    """Actions so far, by package."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.comments: list[str] = []
        self.changes: dict[str, Any] = {}
        self.result = True

    def take(self, package: str, returned: dict[str, Any]) -> bool:
        """Add the result of `pkg.hold` or `pkg.unhold` for a package; return whether it succeeded."""
        is_good = bool(returned.get(package, {}).get("result", False))
        self.result = self.result and is_good
        self.changes.update(returned)
        return is_good

    def outcome(self) -> StateReturn:
        """Return the state return."""
        comment = "\n".join(self.comments)
        if not comment and not self.changes:
            comment = "No changes made"
        return outcome(self.name, self.result, comment, self.changes)


def _has_versions() -> bool:
    return "pkg.list_locks" in functions


def _locks() -> Locks | None:
    """Return the held packages, or None if the platform cannot list them."""
    if _has_versions():
        locks: Locks = call("pkg.list_locks")
        return locks
    if "pkg.list_holds" in functions:
        return dict(_version_lock(lock) for lock in call("pkg.list_holds", full=True))
    if "pkg.get_selections" in functions:
        return {package: {} for package in call("pkg.get_selections", state="hold").get("hold", [])}
    return None


def _version_lock(lock: str) -> tuple[str, dict[str, Any]]:
    found = _VERSION_LOCK.match(lock)
    if not found:
        return lock, {}
    name, epoch, version = found.groups()
    return name, {"version": version if epoch == "0" else f"{epoch}:{version}"}


def _lock_version(lock: Mapping[str, Any]) -> str | None:
    version = lock.get("version")
    return version.lstrip("= ") if version else None


def _is_package(lock: Mapping[str, Any]) -> bool:
    return bool(lock.get("type", "package") == "package")


def _hold(report: _Report, item: Any, package: str, version: str | None, is_locked: bool) -> None:
    if opts["test"]:
        what = "package's hold rule would be updated" if is_locked else "package would be held"
        report.comments.append(f"The following {what}: {package}{_pinned(version)}")
        return
    was_freed = False
    if is_locked:
        freed = call("pkg.unhold", name=report.name, pkgs=[package])
        was_freed = bool(freed.get(package, {}).get("result", False))
    if report.take(package, call("pkg.hold", name=report.name, pkgs=[item])):
        what = "was updated with hold rule" if was_freed else "is now being held"
    else:
        what = "was not held"
    report.comments.append(f"Package {package} {what}")


def _unhold(report: _Report, package: str, version: str | None) -> None:
    if opts["test"]:
        report.comments.append(f"The following package would be unheld: {package}{_pinned(version)}")
        return
    returned = call("pkg.unhold", name=report.name, pkgs=[package])
    report.take(package, returned)
    if returned.get(package, {}).get("comment"):
        report.comments.append(returned[package]["comment"])


def _pinned(version: str | None) -> str:
    return f" (version = {version})" if version else ""

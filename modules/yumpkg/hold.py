"""Packages held at their installed version by the plugin `versionlock`.

Shapes: {name: {"name", "changes", "result", "comment"}}, a small state return for each package.
"""

from __future__ import annotations

import fnmatch
import os
import re
from typing import Any

from salt_g.api import grains, opts
from salt_g.errors import InvocationError
from salt_g.modules._packages import hold_result, hold_targets
from salt_g.modules.yumpkg._yum import is_dnf, program, yum
from salt_g.modules.yumpkg.query import list_pkgs

#: Regular expression of a package's name.
NAME_PATTERN = r"[\w+]+(?:[.-][^-]+)*"
#: dnf5's file of locks.
_DNF5_FILE = "/etc/dnf/versionlock.toml"


def hold(
    name: str | None = None, pkgs: Any = None, sources: Any = None, normalize: bool = True, **kwargs: Any
) -> dict[str, Any]:
    """Hold packages, so that no upgrade changes them.

    Example::

        salt-g pkg.hold bash
    """
    _require_versionlock()
    targets = hold_targets(name, pkgs, sources)
    locked = list_holds(full=False)
    return {target: _hold(target, target in locked) for target in targets}


def unhold(name: str | None = None, pkgs: Any = None, sources: Any = None, **kwargs: Any) -> dict[str, Any]:
    """Allow upgrades of packages again.

    Example::

        salt-g pkg.unhold bash
    """
    _require_versionlock()
    targets = hold_targets(name, pkgs, sources)
    locks = list_holds(full=program() == "yum")
    return {target: _unhold(target, _locks_of(target, locks)) for target in targets}


def list_holds(pattern: str = NAME_PATTERN, full: bool = True) -> list[str]:
    """Return the packages on hold: whole locks (name, version, release), or only names if not `full`.

    `pattern` is a regular expression of names; dnf5 ignores it.

    Example::

        salt-g pkg.list_holds full=False
    """
    _require_versionlock()
    if program() == "dnf5":
        return _dnf5_locks(full)
    lines = yum(["versionlock", "list"], scope=False)["stdout"].splitlines()
    found = (_lock_in(line, pattern, full) for line in lines)
    return [lock for lock in found if lock]


def get_locked_packages(pattern: str = NAME_PATTERN, full: bool = True) -> list[str]:
    """Return the result of `pkg.list_holds`.

    Example::

        salt-g pkg.get_locked_packages
    """
    return list_holds(pattern, full)


def _require_versionlock() -> None:
    plugin = _plugin_package()
    if plugin not in list_pkgs():
        raise InvocationError(f"Cannot proceed, {plugin} is not installed.")


def _plugin_package() -> str:
    """Return the name of the package that provides the plugin on this machine."""
    if program() == "tdnf":
        raise InvocationError("Cannot proceed, no versionlock for tdnf")
    if not is_dnf():
        return "yum-plugin-versionlock"
    is_new = grains["os"].lower() == "fedora" or int(grains.get("osmajorrelease") or 0) >= 8
    return "python3-dnf-plugin-versionlock" if is_new else "python2-dnf-plugin-versionlock"


def _lock_in(line: str, pattern: str, full: bool) -> str | None:
    """Return the lock in a line (`name-epoch:version-release.*`, with yum `epoch:name-…`), or its name."""
    if full:
        expression = rf"({pattern}-\S+)" if is_dnf() else rf"(\d+:{pattern}-\S+)"
    else:
        expression = rf"({pattern}-\S+)" if is_dnf() else rf"\d+:({pattern}-\S+)"
    found = re.search(expression, line)
    if not found:
        return None
    return found.group(1) if full else _name_of(found.group(1))


def _name_of(lock: str) -> str:
    return lock.rsplit(".", 1)[0].rsplit("-", 2)[0]


def _dnf5_locks(full: bool) -> list[str]:
    from salt_g.formats.serializers import read_toml  # Imported lazily: needed only for dnf5.

    if not os.path.exists(_DNF5_FILE):
        return []
    with open(_DNF5_FILE, encoding="utf-8") as file:
        locks = [lock for lock in read_toml(file.read()).get("packages") or [] if lock.get("name")]
    if not full:
        return list(dict.fromkeys(lock["name"] for lock in locks))
    return [f"{lock['name']}-{version}.*" for lock in locks for version in _pinned(lock)]


def _pinned(lock: dict[str, Any]) -> list[str]:
    """Return the version that a lock of dnf5 pins, with its epoch, as a list of one or none."""
    for condition in lock.get("conditions") or []:
        if condition.get("key") == "evr" and condition.get("comparator") == "=":
            value = str(condition["value"])
            return [value if ":" in value else f"0:{value}"]
    return []


def _locks_of(target: str, locks: list[str]) -> list[str]:
    if is_dnf():
        return [lock for lock in locks if lock == target]
    found = [lock for lock in locks if fnmatch.fnmatch(lock, f"*{target}*")]
    return [lock for lock in found if _name_of(lock.partition(":")[2]) == target]


def _hold(target: str, is_held: bool) -> dict[str, Any]:
    if is_held:
        return hold_result(target, True, f"Package {target} is already set to be held.")
    if opts["test"]:
        return hold_result(target, None, f"Package {target} is set to be held.")
    if yum(["versionlock", "add", target])["retcode"] != 0:
        return hold_result(target, False, f"Package {target} was unable to be held.")
    return hold_result(target, True, f"Package {target} is now being held.", {"new": "hold", "old": ""})


def _unhold(target: str, locks: list[str]) -> dict[str, Any]:
    if not locks:
        return hold_result(target, True, f"Package {target} is not being held.")
    if opts["test"]:
        return hold_result(target, None, f"Package {target} is set to be unheld.")
    if yum(["versionlock", "delete", *locks])["retcode"] != 0:
        return hold_result(target, False, f"Package {target} was unable to be unheld.")
    return hold_result(target, True, f"Package {target} is no longer held.", {"new": "", "old": "hold"})

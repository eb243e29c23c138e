"""Locks: packages held at their installed version.

Shapes: {name: {"name", "changes", "result", "comment"}}, a small state return for each package;
a lock is {field: text} as zypper's file has it (`type`, `match_type`, `case_sensitive`, `version`).
"""

from __future__ import annotations

import os
import re
from typing import Any

from salt_g.api import opts
from salt_g.errors import CommandExecutionError
from salt_g.modules._packages import hold_result
from salt_g.modules._rpm_queries import info_installed
from salt_g.modules.zypperpkg._zypper import messages, zypper
from salt_g.modules.zypperpkg.available import search

#: zypper's file of locks.
_FILE = "/etc/zypp/locks"


def hold(
    name: str | None = None, pkgs: Any = None, root: str | None = None, **kwargs: Any
) -> dict[str, dict[str, Any]]:
    """Hold packages; a one-item mapping of name to version holds only that version.

    Example::

        salt-g pkg.hold pkgs='["foo", {"bar": "1.2"}]'
    """
    locks = list_locks(root)
    found: dict[str, dict[str, Any]] = {}
    added = []
    for target, version in _targets(name, pkgs):
        if locks.get(target):
            found[target] = hold_result(target, True, f"Package {target} is already set to be held.")
        elif opts["test"]:
            found[target] = hold_result(target, None, f"Package {target} is set to be held.")
        else:
            added.append(f"{target}={version}" if version else target)
            comment = f"Package {target} is now being held."
            found[target] = hold_result(target, True, comment, {"new": "hold", "old": ""})
    if added:
        zypper("al", *added, root=root)
    return found


def unhold(
    name: str | None = None, pkgs: Any = None, root: str | None = None, **kwargs: Any
) -> dict[str, dict[str, Any]]:
    """Allow upgrades of packages again.

    Example::

        salt-g pkg.unhold foo
    """
    locks = list_locks(root)
    found: dict[str, dict[str, Any]] = {}
    removed = []
    for target, version in _targets(name, pkgs):
        held = locks.get(target, {}).get("version", "").lstrip("= ")
        if not locks.get(target):
            found[target] = hold_result(target, True, f"Package {target} was already unheld.")
        elif version and held != version:
            comment = f"Unable to unhold package {target} as it is held with the other version."
            found[target] = hold_result(target, False, comment)
        elif opts["test"]:
            found[target] = hold_result(target, None, f"Package {target} is set to be unheld.")
        else:
            removed.append(f"{target}={held}" if held else target)
            comment = f"Package {target} is no longer held."
            found[target] = hold_result(target, True, comment, {"new": "", "old": "hold"})
    if removed:
        zypper("rl", *removed, root=root)
    return found


def list_holds(
    pattern: str | None = None, full: bool = True, root: str | None = None, **kwargs: Any
) -> list[str]:
    """Return installed packages on hold, as `name-epoch:version.*`, or only names if not `full`.

    `pattern` is a regular expression of names.

    Example::

        salt-g pkg.list_holds full=False
    """
    found: dict[str, Any] = {}
    for name, lock in list_locks(root).items():
        if lock.get("type", "package") == "package":
            for package in _installed(name, lock, root):
                found.update(info_installed(package, root=root, attr="edition,epoch", all_versions=True))
    wanted = re.compile(rf"{pattern}-\S+") if pattern else None
    whole = {
        f"{name}-{about.get('epoch', 0)}:{about.get('edition')}.*": name
        for name, versions in found.items()
        for about in versions
    }
    held = {lock: name for lock, name in whole.items() if wanted is None or wanted.match(lock)}
    return list(held) if full else list(dict.fromkeys(held.values()))


def list_locks(root: str | None = None) -> dict[str, dict[str, str]]:
    """Return {name: lock} of all locks.

    Example::

        salt-g pkg.list_locks
    """
    path = _path(root)
    if not os.path.exists(path):
        return {}
    with open(path, encoding="utf-8", errors="replace") as file:
        parts = file.read().split("\n\n")
    locks: dict[str, dict[str, str]] = {}
    for part in parts:
        pairs = (line.partition(":")[::2] for line in part.splitlines() if ":" in line and line[0] != "#")
        lock = {key.strip(): value.strip() for key, value in pairs}
        if lock.get("solvable_name"):
            locks[lock.pop("solvable_name")] = lock
    return locks


def clean_locks(root: str | None = None) -> dict[str, Any]:
    """Remove locks that match no package; return {"removed": number}.

    Example::

        salt-g pkg.clean_locks
    """
    if not os.path.exists(_path(root)):
        return {"removed": 0}
    texts = messages(zypper("cl", root=root, xml=True)["stdout"])
    words = [text.split() for text in texts if text.lower().startswith("removed")]
    return {"removed": words[0][1] if words and len(words[0]) > 1 else 0}


def _path(root: str | None) -> str:
    return os.path.join(root or "/", _FILE.lstrip("/"))


def _targets(name: str | None, pkgs: Any) -> list[tuple[str, str | None]]:
    if not name and not pkgs:
        raise CommandExecutionError("Name or packages must be specified.")
    items = list(pkgs or [name])
    return [next(iter(item.items())) if isinstance(item, dict) else (item, None) for item in items]


def _installed(name: str, lock: dict[str, str], root: str | None) -> list[str]:
    """Return the installed packages that a lock matches."""
    match: dict[str, Any] = {} if "*" in name else {"match": "exact"}
    is_exact = lock.get("case_sensitive", "on") == "on"
    try:
        found = search(name, root=root, case_sensitive=is_exact, installed_only=True, details=True, **match)
    except CommandExecutionError:
        return []
    return list(found)

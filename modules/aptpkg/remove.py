"""Removal and purging of packages, and of unused dependencies."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from salt_g.api import call
from salt_g.modules._changes import compare, raise_problem
from salt_g.modules._packages import errors_of, forget_packages, matching
from salt_g.modules.aptpkg._apt import apt
from salt_g.modules.aptpkg.query import list_pkgs


def remove(name: str | None = None, pkgs: Any = None, **kwargs: Any) -> dict[str, Any]:
    """Remove packages and keep their configuration; return {name: {"old": version, "new": ""}}.

    Names can be globs. Raises CommandExecutionError with the changes made.

    Example::

        salt-g pkg.remove 'libfoo*'
    """
    return _uninstall("remove", name, pkgs, kwargs)


def purge(name: str | None = None, pkgs: Any = None, **kwargs: Any) -> dict[str, Any]:
    """Purge packages with their configuration, including previously removed ones.

    Returns {"installed": changes, "removed": changes}, or {} if no package matches. Names can be globs.

    Example::

        salt-g pkg.purge foo
    """
    return _uninstall("purge", name, pkgs, kwargs)


def autoremove(list_only: bool = False, purge: bool = False) -> Any:
    """Remove automatically installed packages that are no longer required; return the changes.

    `list_only` returns the sorted names and changes nothing.

    Example::

        salt-g pkg.autoremove list_only=True
    """
    options = ["--purge"] if purge else []
    if list_only:
        text = apt(["apt-get", "--assume-no", *options, "autoremove"])["stdout"]
        return sorted(_listed_for_removal(text.splitlines()))
    old = list_pkgs()
    apt(["apt-get", "--assume-yes", *options, "autoremove"])
    forget_packages()
    return compare(old, list_pkgs())


def _uninstall(action: str, name: str | None, pkgs: Any, more: dict[str, Any]) -> dict[str, Any]:
    wanted = call("pkg_resource.parse_targets", name, pkgs)[0] or {}
    old, old_removed = list_pkgs(), list_pkgs(removed=True)
    targets = list(matching(wanted, old))
    if action == "purge":
        targets.extend(matching(wanted, old_removed))
    if not targets:
        return {}
    errors = errors_of(apt(["apt-get", "-q", "-y", action, *targets], env=more.get("env")))
    forget_packages()
    changes: dict[str, Any] = compare(old, list_pkgs())
    if action == "purge":
        changes = {"removed": compare(old_removed, list_pkgs(removed=True)), "installed": changes}
    raise_problem("Problem encountered removing package(s)", errors, changes)
    return changes


def _listed_for_removal(lines: Iterable[str]) -> Iterator[str]:
    """Yield the names that apt lists, indented, below its headline about packages to remove."""
    inside = False
    for line in lines:
        if inside and line.startswith(" "):
            yield from line.split()
        else:
            inside = "The following packages will be REMOVED:" in line

"""What every provider of `pkg` does in the same way, whatever its package manager.

Why its own file: apt, dnf, zypper, apk and pacman differ in words and output; remembering the
package list of a run, reading targets, telling of holds and comparing before with after is one
thing. Which provider serves `pkg` the loader decides: by the `__virtual__` of each, which asks
for the grain `os_family`, unless the setting `providers` names one (`{"pkg": "yumpkg"}`).
"""

from __future__ import annotations

import contextlib
import fnmatch
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cmp_to_key
from typing import Any

from salt_g.api import call, opts, scratch
from salt_g.data.version_conditions import Order
from salt_g.errors import CommandExecutionError, InvocationError
from salt_g.modules._booleans import is_true
from salt_g.modules._changes import compare, raise_problem
from salt_g.shapes import Completed

#: Where the package list of this run is kept; states rely on the name.
PACKAGE_LIST = "pkg.list_pkgs"
#: Further lists of this run that end with a change of packages begin with this.
PROVIDES_LIST = "pkg.list_provides"
#: In `cachedir`: a state run still has to refresh. Written by the pkg states.
REFRESH_FLAG = "pkg_refresh"

#: {name: [version, ...]}
Versions = dict[str, list[str]]


def remembered(read: Callable[[], Any], *, fresh: bool = False, key: str = PACKAGE_LIST) -> Any:
    """Return the package list of this run; `read` makes it when there is none yet."""
    if fresh or key not in scratch:
        scratch[key] = read()
    return scratch[key]


def forget_packages() -> None:
    """Forget the package lists of this run, because packages were changed."""
    for key in [key for key in scratch if key.startswith((PACKAGE_LIST, PROVIDES_LIST))]:
        scratch.pop(key, None)


def shown_versions(packages: Versions, versions_as_list: Any) -> dict[str, Any]:
    """Return a copy of a package list, with one text for each package unless lists are wanted."""
    if is_true(versions_as_list):
        return {name: list(versions) for name, versions in packages.items()}
    return {name: ",".join(versions) for name, versions in packages.items()}


def asks_for_leftovers(kwargs: Mapping[str, Any]) -> bool:
    """Return whether packages that are gone but not purged are asked for, which only dpkg knows."""
    return any(is_true(kwargs.get(key)) for key in ("removed", "purge_desired"))


def clear_refresh_flag() -> None:
    """Take away the mark that this run still has to refresh."""
    with contextlib.suppress(FileNotFoundError, KeyError):
        os.unlink(os.path.join(opts["cachedir"], REFRESH_FLAG))


def matching(wanted: Iterable[str], packages: Iterable[str]) -> Iterator[str]:
    """Yield the packages that are there of those wanted, which may be globs."""
    there = list(packages)
    for each in wanted:
        yield from fnmatch.filter(there, each) if "*" in each else [each] if each in there else []


def one_or_all(found: dict[str, Any]) -> Any:
    """Return the only value, or the whole mapping when there is more than one."""
    return next(iter(found.values())) if len(found) == 1 else found


def change(
    act: Callable[[], list[str]], listed: Callable[[], dict[str, Any]], problem: str
) -> dict[str, dict[str, Any]]:
    """Change packages by `act`, which returns errors; return what is different in the list afterwards.

    Raises CommandExecutionError with errors and changes.
    """
    old = listed()
    errors = act()
    forget_packages()
    changes = compare(old, listed())
    raise_problem(problem, errors, changes)
    return changes


def upgraded(finished: Completed, old: Mapping[str, Any], new: Mapping[str, Any]) -> dict[str, Any]:
    """Return what an upgrade changed; raises CommandExecutionError with that when it failed."""
    changes = compare(old, new)
    if finished["retcode"] != 0:
        info = {"changes": changes, "result": finished}
        raise CommandExecutionError("Problem encountered upgrading packages", info=info)
    return changes


def errors_of(finished: Completed) -> list[str]:
    """Return the standard error of a program that failed as a list, [] when it did not."""
    return [finished["stderr"]] if finished["retcode"] != 0 and finished["stderr"] else []


def newest_first(versions: Iterable[str], order: Order) -> list[str]:
    """Return different versions in descending order."""

    def compared(ours: str, theirs: str) -> int:
        return order(ours, theirs) or 0

    return sorted(set(versions), key=cmp_to_key(compared), reverse=True)


def offered_by_repository(
    found: Mapping[str, Mapping[str, Iterable[str]]], byrepo: Any, order: Order
) -> dict[str, Any]:
    """Return {name: versions}, newest first, of {repository: {name: versions}}; `byrepo` keeps those."""
    if is_true(byrepo):
        return {
            repo: {name: newest_first(versions, order) for name, versions in packages.items()}
            for repo, packages in found.items()
        }
    merged: dict[str, list[str]] = {}
    for packages in found.values():
        for name, versions in packages.items():
            merged.setdefault(name, []).extend(versions)
    return {name: newest_first(versions, order) for name, versions in merged.items()}


def glob_match(name: str, wanted: str, offered: list[str]) -> str:
    """Return the newest offered version that a glob means; raises LookupError with what there is."""
    found = next(iter(fnmatch.filter(offered, wanted)), None)
    if found is None:
        shown = ", ".join(offered) or "none"
        raise LookupError(f"No version matching '{wanted}' found for package '{name}' (available: {shown})")
    return found


def hold_targets(name: str | None, pkgs: Any, sources: Any) -> list[str]:
    """Return the names that are to be held or let go; raises InvocationError."""
    if pkgs and sources:
        raise InvocationError("Only one of pkgs or sources can be specified.")
    if not name and not pkgs and not sources:
        raise InvocationError("One of name, pkgs, or sources must be specified.")
    items = list(pkgs or sources or [name])
    return [next(iter(item)) if isinstance(item, Mapping) else item for item in items]


def told(name: str, result: bool | None, comment: str, changes: Any = None) -> dict[str, Any]:
    """Return the small state return that holding gives for one package."""
    return {"name": name, "changes": changes or {}, "result": result, "comment": comment}


def parsed(name: str | None, pkgs: Any, sources: Any = None, **more: Any) -> tuple[Any, str | None]:
    """Return targets and their kind as `pkg_resource.parse_targets` does."""
    targets: tuple[Any, str | None] = call("pkg_resource.parse_targets", name, pkgs, sources, **more)
    return targets

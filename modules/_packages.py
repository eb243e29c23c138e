"""Parts common to all providers of `pkg`.

The loader chooses the provider by the `__virtual__` of each, which checks the grain `os_family`, unless the
setting `providers` names one (`{"pkg": "yumpkg"}`).
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

#: Context key of the package list of this run; states rely on the name.
PACKAGE_LIST = "pkg.list_pkgs"
#: Prefix of the context keys of further lists that a change of packages invalidates.
PROVIDES_LIST = "pkg.list_provides"
#: Name of the flag file in `cachedir` that exists while a state run still has to refresh; the pkg states
#: create it.
REFRESH_FLAG = "pkg_refresh"

#: {name: [version, ...]}
Versions = dict[str, list[str]]


def cached_packages(read: Callable[[], Any], *, fresh: bool = False, key: str = PACKAGE_LIST) -> Any:
    """Return the cached package list of this run; `read` creates it if it is missing or `fresh` is set."""
    if fresh or key not in scratch:
        scratch[key] = read()
    return scratch[key]


def forget_packages() -> None:
    """Drop the cached package lists of this run after packages were changed."""
    for key in [key for key in scratch if key.startswith((PACKAGE_LIST, PROVIDES_LIST))]:
        scratch.pop(key, None)


def shown_versions(packages: Versions, versions_as_list: Any) -> dict[str, Any]:
    """Return a copy of a package list, with one text for each package unless lists are requested."""
    if is_true(versions_as_list):
        return {name: list(versions) for name, versions in packages.items()}
    return {name: ",".join(versions) for name, versions in packages.items()}


def wants_leftovers(kwargs: Mapping[str, Any]) -> bool:
    """Return whether removed but not purged packages are requested; only dpkg records them."""
    return any(is_true(kwargs.get(key)) for key in ("removed", "purge_desired"))


def clear_refresh_flag() -> None:
    """Remove the flag file which says that this run still has to refresh the package lists."""
    with contextlib.suppress(FileNotFoundError, KeyError):
        os.unlink(os.path.join(opts["cachedir"], REFRESH_FLAG))


def matching(wanted: Iterable[str], packages: Iterable[str]) -> Iterator[str]:
    """Yield the installed packages that match the given names or globs."""
    there = list(packages)
    for each in wanted:
        yield from fnmatch.filter(there, each) if "*" in each else [each] if each in there else []


def one_or_all(found: dict[str, Any]) -> Any:
    """Return the only value, or the whole mapping if there are several."""
    return next(iter(found.values())) if len(found) == 1 else found


def change(
    act: Callable[[], list[str]], listed: Callable[[], dict[str, Any]], problem: str
) -> dict[str, dict[str, Any]]:
    """Change packages by `act`, which returns errors; return the differences of the package list.

    Raises CommandExecutionError with both if there are errors.
    """
    old = listed()
    errors = act()
    forget_packages()
    changes = compare(old, listed())
    raise_problem(problem, errors, changes)
    return changes


def upgraded(finished: Completed, old: Mapping[str, Any], new: Mapping[str, Any]) -> dict[str, Any]:
    """Return the changes of an upgrade; raise CommandExecutionError with them if it failed."""
    changes = compare(old, new)
    if finished["retcode"] != 0:
        info = {"changes": changes, "result": finished}
        raise CommandExecutionError("Problem encountered upgrading packages", info=info)
    return changes


def errors_of(finished: Completed) -> list[str]:
    """Return the standard error of a failed program as a list, [] if it succeeded or printed none."""
    return [finished["stderr"]] if finished["retcode"] != 0 and finished["stderr"] else []


def newest_first(versions: Iterable[str], order: Order) -> list[str]:
    """Return distinct versions in descending order."""

    def compared(ours: str, theirs: str) -> int:
        return order(ours, theirs) or 0

    return sorted(set(versions), key=cmp_to_key(compared), reverse=True)


def offered_by_repository(
    found: Mapping[str, Mapping[str, Iterable[str]]], byrepo: Any, order: Order
) -> dict[str, Any]:
    """Return {name: versions}, newest first; `byrepo` keeps the grouping by repository."""
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
    """Return the newest available version that matches a glob; raise LookupError with the available ones."""
    found = next(iter(fnmatch.filter(offered, wanted)), None)
    if found is None:
        shown = ", ".join(offered) or "none"
        raise LookupError(f"No version matching '{wanted}' found for package '{name}' (available: {shown})")
    return found


def hold_targets(name: str | None, pkgs: Any, sources: Any) -> list[str]:
    """Return the names to hold or release; raise InvocationError for none, or for two lists of them."""
    if pkgs and sources:
        raise InvocationError("Only one of pkgs or sources can be specified.")
    if not name and not pkgs and not sources:
        raise InvocationError("One of name, pkgs, or sources must be specified.")
    items = list(pkgs or sources or [name])
    return [next(iter(item)) if isinstance(item, Mapping) else item for item in items]


def hold_result(name: str, result: bool | None, comment: str, changes: Any = None) -> dict[str, Any]:
    """Return the result of holding one package, in the form of a state return."""
    return {"name": name, "changes": changes or {}, "result": result, "comment": comment}


def parsed(name: str | None, pkgs: Any, sources: Any = None, **more: Any) -> tuple[Any, str | None]:
    """Return targets and their kind as `pkg_resource.parse_targets` does."""
    targets: tuple[Any, str | None] = call("pkg_resource.parse_targets", name, pkgs, sources, **more)
    return targets

"""Packages of a dummy, with the names and returns used by the state `pkg`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from salt_g.api import connection_functions as dummy

#: Version installed if none is requested.
_NEWEST = "1.0"


def list_pkgs(
    versions_as_list: bool = False, removed: bool = False, purge_desired: bool = False, **kwargs: Any
) -> dict[str, Any]:
    """Return {name: version} of all packages; {} with `removed` or `purge_desired`, as nothing remains.

    Example::

        salt-g d-01 pkg.list_pkgs
    """
    if removed or purge_desired:
        return {}
    found: dict[str, str] = dummy["dummy.package_list"]()
    return {name: [version] for name, version in found.items()} if versions_as_list else found


def version(*names: str, **kwargs: Any) -> Any:
    """Return the installed version of a package, or '' if not installed; a mapping for several packages.

    Example::

        salt-g d-01 pkg.version apache
    """
    return _one_or_all({name: dummy["dummy.package_status"](name).get(name, "") for name in names})


def latest_version(*names: str, **kwargs: Any) -> Any:
    """Return the version available for a package, or '' if it is installed; a mapping for several packages.

    Example::

        salt-g d-01 pkg.latest_version vim
    """
    return _one_or_all({name: "" if dummy["dummy.package_status"](name) else _NEWEST for name in names})


def refresh_db(**kwargs: Any) -> bool:
    """Return True, because all packages are always available.

    Example::

        salt-g d-01 pkg.refresh_db
    """
    return True


def install(
    name: str | None = None, pkgs: Iterable[Any] | None = None, version: str | None = None, **kwargs: Any
) -> dict[str, dict[str, str]]:
    """Install packages; return {name: {'old': version, 'new': version}} of those that changed.

    Example::

        salt-g d-01 pkg.install vim version=9.0
    """
    before = dummy["dummy.package_list"]()
    for package, wanted in _wanted(name, pkgs, version).items():
        if wanted or package not in before:
            dummy["dummy.package_install"](package, version=wanted or _NEWEST)
    return _changes(before)


def remove(
    name: str | None = None, pkgs: Iterable[Any] | None = None, **kwargs: Any
) -> dict[str, dict[str, str]]:
    """Remove packages; return {name: {'old': version, 'new': ''}} of the removed ones.

    Example::

        salt-g d-01 pkg.remove apache
    """
    before = dummy["dummy.package_list"]()
    for package in _wanted(name, pkgs, None):
        dummy["dummy.package_remove"](package)
    return _changes(before)


def purge(
    name: str | None = None, pkgs: Iterable[Any] | None = None, **kwargs: Any
) -> dict[str, dict[str, str]]:
    """Remove packages; a dummy has no configuration files to keep.

    Example::

        salt-g d-01 pkg.purge apache
    """
    return remove(name, pkgs)


def upgrade(**kwargs: Any) -> dict[str, dict[str, str]]:
    """Upgrade all packages to the next version; return the changes.

    Example::

        salt-g d-01 pkg.upgrade
    """
    before = dummy["dummy.package_list"]()
    dummy["dummy.upgrade"]()
    return _changes(before)


def _wanted(name: str | None, pkgs: Iterable[Any] | None, version: str | None) -> dict[str, str | None]:
    """Return {package: version or None} of the packages named in a call."""
    if pkgs is None:
        return {one: version for one in (name or "").split(",") if one}
    found: dict[str, str | None] = {}
    for item in pkgs:
        found.update(item if isinstance(item, Mapping) else {str(item): None})
    return found


def _changes(before: Mapping[str, str]) -> dict[str, dict[str, str]]:
    after = dummy["dummy.package_list"]()
    return {
        name: {"old": before.get(name, ""), "new": after.get(name, "")}
        for name in sorted({*before, *after})
        if before.get(name, "") != after.get(name, "")
    }


def _one_or_all(found: dict[str, str]) -> Any:
    return next(iter(found.values())) if len(found) == 1 else found

"""Packages of the host, managed with apt, dnf, yum, zypper or apk, with stock's returns."""

from __future__ import annotations

import fnmatch
from collections.abc import Mapping
from typing import Any

from salt_g.api import current, grains, scratch
from salt_g.errors import CommandExecutionError, InvocationError
from salt_g.resources.ssh import _files, _remote, _sources
from salt_g.resources.ssh._package_managers import (
    NAME,
    VERSION,
    Manager,
    Packages,
    manager_of,
    read_dpkg,
)
from salt_g.shapes import Changes

#: Context keys: this run's package list, and the flag by which states note that a refresh is due.
_LIST, _REFRESH_DUE = "pkg.list_pkgs", "pkg_refresh"


def list_pkgs(
    versions_as_list: bool = False, removed: bool = False, purge_desired: bool = False, **kwargs: Any
) -> dict[str, Any]:
    """Return {name: version} of all packages, or with `removed` of those of which only configuration is left.

    Example::

        salt-g web-01 pkg.list_pkgs
    """
    if purge_desired:
        return {}
    if removed:
        text = _listing()
        found = read_dpkg(text, is_removed=True) if _manager().read is read_dpkg else {}
    else:
        found = _installed()
    return {name: list(all) if versions_as_list else ",".join(all) for name, all in found.items()}


def version(*names: str, **kwargs: Any) -> Any:
    """Return the installed version of a package, or '' if not installed; a mapping for several packages.

    Example::

        salt-g web-01 pkg.version openssh-server
    """
    installed = list_pkgs()
    found: dict[str, str] = {}
    for name in names:
        matching = fnmatch.filter(installed, name) if "*" in name else [name]
        found.update({one: installed.get(one, "") for one in matching})
    return next(iter(found.values()), "") if len(names) == 1 and "*" not in names[0] else found


def latest_version(*names: str, **kwargs: Any) -> Any:
    """Return the version available for a package, or '' if there is no newer one.

    Example::

        salt-g web-01 pkg.latest_version openssh-server
    """
    if not names:
        return ""
    for name in names:
        _check(NAME, name)
    if kwargs.get("refresh", True):
        refresh_db()
    manager = _manager()
    offered = manager.offered(_remote.output(manager.offer, *names, timeout=None))
    installed = list_pkgs()
    found = {name: offered.get(name, "") for name in names}
    found = {name: "" if installed.get(name) == new else new for name, new in found.items()}
    return found[names[0]] if len(names) == 1 else found


def available_version(*names: str, **kwargs: Any) -> Any:
    """Alias of `latest_version`.

    Example::

        salt-g web-01 pkg.available_version openssh-server
    """
    return latest_version(*names, **kwargs)


def upgrade_available(name: str, **kwargs: Any) -> bool:
    """Return whether a newer version of a package is available.

    Example::

        salt-g web-01 pkg.upgrade_available openssh-server
    """
    return bool(latest_version(name, **kwargs))


def refresh_db(**kwargs: Any) -> bool:
    """Refresh the package lists of the repositories.

    Example::

        salt-g web-01 pkg.refresh_db
    """
    _remote.output(_manager().refresh, timeout=None)
    scratch.pop(_REFRESH_DUE, None)
    return True


def install(
    name: str | None = None, refresh: Any = False, pkgs: Any = None, sources: Any = None,
    version: str | None = None, reinstall: bool = False, **kwargs: Any,
) -> Changes:  # fmt: skip
    """Install packages; return {name: {'old': version, 'new': version}} of the changed ones.

    `pkgs` is a list of names and of one-item mappings of name to version, `sources` a list of one-item
    mappings of name to package file.

    Example::

        salt-g web-01 pkg.install vim
    """
    manager = _manager()
    if refresh and str(refresh).lower() != "false":
        refresh_db()
    options = _options(manager, {**kwargs, "reinstall": reinstall})
    if sources:
        return _changed(lambda: _install_files(manager, options, sources), "installing")
    words = [_pinned(manager, *wanted) for wanted in _wanted(name, pkgs, version).items()]
    if not words:
        return {}
    return _changed(lambda: _run(manager.install, *options, *words), "installing")


def remove(name: str | None = None, pkgs: Any = None, **kwargs: Any) -> Changes:
    """Remove packages; return {name: {'old': version, 'new': ''}} of the removed ones.

    Example::

        salt-g web-01 pkg.remove vim
    """
    return _removed(_manager().remove, name, pkgs)


def purge(name: str | None = None, pkgs: Any = None, **kwargs: Any) -> Changes:
    """Remove packages with their configuration.

    Example::

        salt-g web-01 pkg.purge vim
    """
    before = list_pkgs(removed=True)
    installed = _removed(_manager().purge, name, pkgs, leftovers=before)
    if _manager().read is not read_dpkg:
        return installed
    return {"removed": _compared(before, list_pkgs(removed=True)), "installed": installed}


def upgrade(refresh: bool = True, **kwargs: Any) -> Changes:
    """Upgrade all packages to their newest versions; return the changes.

    Example::

        salt-g web-01 pkg.upgrade
    """
    if refresh:
        refresh_db()
    return _changed(lambda: _run(_manager().upgrade), "upgrading")


def _manager() -> Manager:
    return manager_of(str(grains.get("os_family", "")))


def _listing() -> str:
    return _remote.output(_manager().list, timeout=None)


def _installed() -> Packages:
    if _LIST not in scratch:
        scratch[_LIST] = _manager().read(_listing())
    found: Packages = scratch[_LIST]
    return found


def _changed(work: Any, doing: str) -> Changes:
    before = list_pkgs()
    problem = ""
    try:
        work()
    except CommandExecutionError as exc:
        problem = str(exc)
    scratch.pop(_LIST, None)
    changes = _compared(before, list_pkgs())
    if problem:
        raise CommandExecutionError(
            f"Problem encountered {doing} package(s)", info={"errors": [problem], "changes": changes}
        )
    return changes


def _removed(
    script: str, name: str | None, pkgs: Any, leftovers: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    there = {*list_pkgs(), *(leftovers or ())}
    words = [one for one in _wanted(name, pkgs, None) if one in there]
    return _changed(lambda: _run(script, *words), "removing") if words else {}


def _run(script: str, *words: str) -> None:
    _remote.output(script, *words, timeout=None)


def _install_files(manager: Manager, options: list[str], sources: Any) -> None:
    """Copy package files to the host and install them."""
    saltenv = current().saltenv or "base"
    folder = _remote.output("umask 077; mktemp -d").strip()
    try:
        paths = []
        for source in sources:
            for name, url in source.items():
                _check(NAME, str(name))
                content = _sources.cached_bytes(str(url), saltenv)
                if content is None:
                    raise CommandExecutionError(f"Source file {url} not found")
                paths.append(f"{folder}/{name}{manager.suffix}")
                _files.write(paths[-1], content, mode="0644")
        # apt reads package files as an unprivileged user.
        _remote.output('chmod 755 "$1"', folder)
        _run(manager.install, *options, *paths)
    finally:
        _remote.sh('rm -rf -- "$1"', folder)


def _wanted(name: str | None, pkgs: Any, version: str | None) -> dict[str, str | None]:
    """Return {package: version or None} of the packages named in a call."""
    found: dict[str, str | None] = {}
    for item in pkgs if pkgs is not None else [one for one in (name or "").split(",") if one]:
        given = item if isinstance(item, Mapping) else {str(item): None if pkgs is not None else version}
        for package, wanted in given.items():
            _check(NAME, str(package))
            found[str(package)] = None if wanted in (None, "") else str(wanted)
    return found


def _pinned(manager: Manager, package: str, version: str | None) -> str:
    if version is None:
        return package
    exact = version.lstrip("=")
    _check(VERSION, exact)
    return f"{package}{manager.pin}{exact}"


def _check(pattern: Any, text: str) -> None:
    if not pattern.fullmatch(text):
        raise InvocationError(f"{text!r} is not a valid package name or version")


def _options(manager: Manager, given: Mapping[str, Any]) -> list[str]:
    """Return the command line options for the call's options that the package manager supports."""
    chosen = [
        words[0 if given[name] else 1]
        for name, words in manager.options.items()
        if given.get(name) is not None
    ]
    return [word for word in chosen if word]


def _compared(before: Mapping[str, Any], after: Mapping[str, Any]) -> Changes:
    return {
        name: {"old": before.get(name, ""), "new": after.get(name, "")}
        for name in sorted({*before, *after})
        if before.get(name, "") != after.get(name, "")
    }

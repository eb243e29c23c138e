"""`pkg` on Alpine: packages through apk.

Tested with recorded transcripts; not yet tested on a real Alpine system.
"""

from __future__ import annotations

import re
from typing import Any

from salt_g.api import call, grains
from salt_g.data.version_conditions import split_comparison
from salt_g.errors import CommandExecutionError
from salt_g.modules._booleans import is_true
from salt_g.modules._changes import compare
from salt_g.modules._packages import (
    Versions,
    cached_packages,
    change,
    clear_refresh_flag,
    errors_of,
    forget_packages,
    one_or_all,
    shown_versions,
    wants_leftovers,
)
from salt_g.modules._programs import output, run

__virtualname__ = "pkg"

#: `(1/2) Upgrading musl (1.2.3-r4 -> 1.2.3-r5)`
_UPGRADE = re.compile(r"\S+ Upgrading (\S+) \((\S+) -> (\S+?)\)")
#: Signs that `apk version -t` writes between two versions.
_ORDERS = {"<": -1, "=": 0, ">": 1}


def __virtual__() -> str | tuple[bool, str]:
    if grains.get("os_family") == "Alpine":
        return __virtualname__
    return False, "Module apk only works on Alpine Linux based systems"


def version(*names: str, **kwargs: Any) -> Any:
    """Return the installed version of a package, or '' if it is not installed; a mapping for several.

    Example::

        salt-g pkg.version busybox
    """
    return call("pkg_resource.version", *names, **kwargs)


def version_cmp(pkg1: Any, pkg2: Any, ignore_epoch: bool = False, **kwargs: Any) -> int | None:
    """Return -1, 0 or 1 as the first version is older than, the same as, or newer than the second.

    None if apk cannot compare them.

    Example::

        salt-g pkg.version_cmp 1.2.3-r4 1.2.3-r5
    """
    return _ORDERS.get(output(["apk", "version", "-t", str(pkg1), str(pkg2)]).strip())


def refresh_db(**kwargs: Any) -> bool:
    """Refresh the package lists; return True. Raises CommandExecutionError when that fails.

    Example::

        salt-g pkg.refresh_db
    """
    clear_refresh_flag()
    finished = run(["apk", "update"])
    if finished["retcode"] != 0:
        printed = finished["stdout"] or finished["stderr"]
        info = {"errors": [printed], "changes": False}
        raise CommandExecutionError("Problem encountered installing package(s)", info=info)
    return True


def list_pkgs(versions_as_list: bool = False, **kwargs: Any) -> dict[str, Any]:
    """Return {name: version} of the installed packages; `versions_as_list` gives a list for each.

    `use_context=False` bypasses the cache.

    Example::

        salt-g pkg.list_pkgs
    """
    if wants_leftovers(kwargs):
        return {}
    packages = cached_packages(_installed, fresh=not kwargs.get("use_context", True))
    return shown_versions(packages, versions_as_list)


def latest_version(*names: str, **kwargs: Any) -> Any:
    """Return the version that installing a package would bring, or '' if the newest is installed.

    Several names give a mapping; `refresh` (True) refreshes the package lists first.

    Example::

        salt-g pkg.latest_version busybox refresh=False
    """
    if not names:
        return ""
    if is_true(kwargs.get("refresh", True)):
        refresh_db()
    installed, upgrades = list_pkgs(), _upgrades(output(["apk", "upgrade", "-s"]))
    found = {}
    for name in names:
        newest = upgrades.get(name) or _offered(name)
        found[name] = "" if newest == installed.get(name) else newest
    return one_or_all(found)


def available_version(*names: str, **kwargs: Any) -> Any:
    """Return the result of `pkg.latest_version`.

    Example::

        salt-g pkg.available_version busybox refresh=False
    """
    return latest_version(*names, **kwargs)


def upgrade_available(name: str, **kwargs: Any) -> bool:
    """Return whether a newer version of a package than the installed one is available.

    If the package is not installed, any available version counts as newer.

    Example::

        salt-g pkg.upgrade_available busybox
    """
    return bool(latest_version(name, **kwargs) != "")


def list_upgrades(refresh: bool = True, **kwargs: Any) -> dict[str, str]:
    """Return {name: new version} of the packages that an upgrade would change.

    Example::

        salt-g pkg.list_upgrades refresh=False
    """
    if is_true(refresh):
        refresh_db()
    finished = run(["apk", "upgrade", "-s"])
    if finished["retcode"] != 0:
        raise CommandExecutionError(finished["stderr"] + finished["stdout"])
    return _upgrades(finished["stdout"])


def install(
    name: str | None = None, refresh: bool = False, pkgs: Any = None, sources: Any = None, **kwargs: Any
) -> dict[str, dict[str, str]]:
    """Install packages; return {name: {"old": version, "new": version}} of the changes.

    Give one of `name` (with `version`), `pkgs` (names or one-item mappings of name to version) and
    `sources` (one-item mappings of name to an `.apk`, which must be trusted unless
    `skip_verify`). Raises CommandExecutionError with the changes made.

    Example::

        salt-g pkg.install pkgs='["foo", {"bar": "1.2.3-r0"}]' refresh=True
    """
    targets, kind = call("pkg_resource.parse_targets", name, pkgs, sources, **kwargs)
    if not targets:
        return {}
    if is_true(refresh):
        refresh_db()
    words = ["apk", "add", *(["--allow-untrusted"] if kwargs.get("skip_verify") else [])]
    if kind == "repository":
        installed = list_pkgs()
        words += ["-u"] if any(each in installed for each in targets) else []
        targets = [_constraint(*item) for item in targets.items()]
    problem = "Problem encountered installing package(s)"
    return change(lambda: errors_of(run([*words, *targets])), list_pkgs, problem)


def remove(
    name: str | None = None, pkgs: Any = None, purge: bool = False, **kwargs: Any
) -> dict[str, dict[str, str]]:
    """Remove packages; return {name: {"old": version, "new": ""}}.

    `purge` removes their configuration too.

    Example::

        salt-g pkg.remove foo,bar
    """
    wanted = call("pkg_resource.parse_targets", name, pkgs)[0] or {}
    targets = [each for each in wanted if each in list_pkgs()]
    if not targets:
        return {}
    words = ["apk", "del", *(["--purge"] if purge else []), *targets]
    return change(lambda: errors_of(run(words)), list_pkgs, "Problem encountered removing package(s)")


def purge(name: str | None = None, pkgs: Any = None, **kwargs: Any) -> dict[str, dict[str, str]]:
    """Remove packages with their configuration; return {name: {"old": version, "new": ""}}.

    Example::

        salt-g pkg.purge foo
    """
    return remove(name=name, pkgs=pkgs, purge=True)


def upgrade(name: str | None = None, pkgs: Any = None, refresh: bool = True, **kwargs: Any) -> dict[str, Any]:
    """Upgrade all packages, or the given ones; return {"changes", "result", "comment"}.

    Example::

        salt-g pkg.upgrade
    """
    if is_true(refresh):
        refresh_db()
    old = list_pkgs()
    wanted = call("pkg_resource.parse_targets", name, pkgs)[0] if name or pkgs else {}
    words = ["apk", "add", "-u", *wanted] if wanted else ["apk", "upgrade"]
    finished = run(words, redirect_stderr=True)
    forget_packages()
    is_good = finished["retcode"] == 0
    changes = compare(old, list_pkgs())
    return {"changes": changes, "result": is_good, "comment": "" if is_good else finished["stdout"]}


def file_list(*packages: str, **kwargs: Any) -> Any:
    """Return the result of `pkg.file_dict`.

    Example::

        salt-g pkg.file_list busybox
    """
    return file_dict(*packages)


def file_dict(*packages: str, **kwargs: Any) -> Any:
    """Return {"errors", "packages": {name: [file, ...]}} of packages.

    Example::

        salt-g pkg.file_dict busybox
    """
    if not packages:
        return "Package name should be provided"
    found = {}
    for package in packages:
        lines = output(["apk", "info", "-L", package]).splitlines()
        files = [line for line in lines if line and not line.endswith("contains:")]
        if files:
            found[package] = files
    return {"errors": [], "packages": found}


def owner(*paths: str, **kwargs: Any) -> Any:
    """Return {path: package} of files; an error text replaces the package if none owns the file.

    Example::

        salt-g pkg.owner /usr/bin/wget
    """
    if not paths:
        return "You must provide a path"
    return {path: _owner(path) for path in paths}


def _installed() -> Versions:
    found: Versions = {}
    for line in output(["apk", "info", "-v"]).splitlines():
        name, package_version = _split(line)
        if name:
            found.setdefault(name, []).append(package_version)
    return {name: sorted(set(found[name])) for name in sorted(found)}


def _split(line: str) -> tuple[str, str]:
    """Return (name, version) of `name-version-rN`; ('', '') for any other line."""
    parts = line.strip().rsplit("-", 2)
    return (parts[0], f"{parts[1]}-{parts[2]}") if len(parts) == 3 and " " not in line.strip() else ("", "")


def _upgrades(text: str) -> dict[str, str]:
    found = (_UPGRADE.match(line) for line in text.splitlines())
    return {match.group(1): match.group(3) for match in found if match}


def _offered(name: str) -> str:
    """Return the version in the repositories, or '' if no repository has the package."""
    offered = dict(map(_split, output(["apk", "search", name]).splitlines()))
    return offered.get(name, "")


def _constraint(name: str, wanted: str | None) -> str:
    if not wanted:
        return name
    operator, number = split_comparison(wanted)
    return f"{name}{operator or '='}{number}"


def _owner(path: str) -> str:
    text = output(["apk", "info", "-W", path])
    if not text:
        return f"Error running {['apk', 'info', '-W', path]}"
    return text.split("by ")[1].strip() if "by " in text else "Could not find owner package"

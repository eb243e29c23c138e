"""`pkg` on Arch: packages through pacman.

Tested with recorded transcripts; not yet tested on a real Arch system.
"""

from __future__ import annotations

import fnmatch
import os
from collections.abc import Iterable, Iterator
from typing import Any

from salt_g.api import call, grains, own_arguments
from salt_g.data.version_conditions import split_comparison
from salt_g.errors import CommandExecutionError, InvocationError
from salt_g.modules import _rpm_versions, _systemd
from salt_g.modules._booleans import as_list, is_true
from salt_g.modules._packages import (
    Versions,
    cached_packages,
    change,
    clear_refresh_flag,
    errors_of,
    forget_packages,
    glob_match,
    offered_by_repository,
    one_or_all,
    parsed,
    shown_versions,
    upgraded,
    wants_leftovers,
)
from salt_g.modules._programs import output, run

__virtualname__ = "pkg"

_QUIET = ["--noprogressbar", "--noconfirm"]
_KINDS = ("mandatory", "optional", "default", "conditional")


def __virtual__() -> str | tuple[bool, str]:
    if grains.get("os_family") == "Arch":
        return __virtualname__
    return False, "The pacman module could not be loaded: unsupported OS family."


def version(*names: str, **kwargs: Any) -> Any:
    """Return the installed version of a package, or '' if it is not installed; a mapping for several.

    Example::

        salt-g pkg.version bash
    """
    return call("pkg_resource.version", *names, **kwargs)


def version_cmp(pkg1: Any, pkg2: Any, ignore_epoch: bool = False, **kwargs: Any) -> int:
    """Return -1, 0 or 1 as the first version is older than, the same as, or newer than the second.

    Example::

        salt-g pkg.version_cmp 1.2-1 1.2-2
    """
    return _rpm_versions.compare(str(pkg1), str(pkg2), ignore_epoch)


def list_pkgs(versions_as_list: bool = False, **kwargs: Any) -> dict[str, Any]:
    """Return {name: version} of the installed packages; `versions_as_list` gives a list for each.

    `root` queries another system, `use_context=False` bypasses the cache.

    Example::

        salt-g pkg.list_pkgs
    """
    if wants_leftovers(kwargs):
        return {}
    root = kwargs.get("root")
    is_fresh = bool(root) or not kwargs.get("use_context", True)
    return shown_versions(cached_packages(lambda: _installed(root), fresh=is_fresh), versions_as_list)


def latest_version(*names: str, **kwargs: Any) -> Any:
    """Return the version that installing a package would bring, or '' if the newest is installed.

    Unknown packages also give ''. Several names give a mapping; `refresh=True` refreshes the package lists
    first.

    Example::

        salt-g pkg.latest_version bash refresh=True
    """
    if not names:
        return ""
    if is_true(kwargs.get("refresh", False)):
        refresh_db()
    text = output(
        ["pacman", "-Sp", "--needed", "--print-format", "%n %v", *names, *_rooted(kwargs.get("root"))]
    )
    offered = dict(_pairs(text))
    return one_or_all({name: offered.get(name, "") for name in names})


def available_version(*names: str, **kwargs: Any) -> Any:
    """Return the result of `pkg.latest_version`.

    Example::

        salt-g pkg.available_version bash
    """
    return latest_version(*names, **kwargs)


def upgrade_available(name: str, **kwargs: Any) -> bool:
    """Return whether there is a newer version of a package than the installed one.

    Example::

        salt-g pkg.upgrade_available bash
    """
    return bool(latest_version(name) != "")


def list_upgrades(refresh: bool = False, root: str | None = None, **kwargs: Any) -> dict[str, str]:
    """Return {name: new version} of the packages that an upgrade would change.

    Example::

        salt-g pkg.list_upgrades refresh=True
    """
    words = ["pacman", "-S", "-p", "-u", "--print-format", "%n %v", *_rooted(root)]
    finished = run([*words, "-y"] if refresh else words)
    if finished["retcode"] != 0:
        printed = finished["stderr"] + finished["stdout"]
        raise CommandExecutionError(
            f"Error listing upgrades: {printed}" if printed else "Error listing upgrades"
        )
    return {
        name: new
        for name, new in _pairs(finished["stdout"])
        if not (name.lower() == "downloading" and ".db" in new.lower())
    }


def list_repo_pkgs(*args: str, **kwargs: Any) -> dict[str, Any]:
    """Return {name: [version, ...]} of the packages in the repositories, newest first; names may be globs.

    `fromrepo` selects repositories, `byrepo` returns a mapping for each repository, `refresh` refreshes the
    package lists first.

    Example::

        salt-g pkg.list_repo_pkgs 'samba4*' byrepo=True
    """
    options = own_arguments(kwargs)
    unknown = sorted(set(options) - {"fromrepo", "byrepo", "refresh"})
    if unknown:
        raise InvocationError(f"The following keyword arguments are not valid: {', '.join(unknown)}")
    if is_true(options.get("refresh", False)):
        refresh_db()
    repos = as_list(options.get("fromrepo"))
    found: dict[str, dict[str, list[str]]] = {}
    for words in (line.split() for line in output(["pacman", "-Sl"]).splitlines()):
        is_wanted = len(words) > 2 and (not repos or words[0] in repos)
        if is_wanted and (not args or any(fnmatch.fnmatch(words[1], arg) for arg in args)):
            found.setdefault(words[0], {}).setdefault(words[1], []).append(words[2])
    return offered_by_repository(found, options.get("byrepo"), _rpm_versions.compare)


def refresh_db(root: str | None = None, **kwargs: Any) -> dict[str, bool]:
    """Refresh the package lists; return {repository: whether there was new data}.

    Example::

        salt-g pkg.refresh_db
    """
    clear_refresh_flag()
    finished = run(["pacman", "-Sy", *_rooted(root)], env={"LANG": "C"})
    if finished["retcode"] != 0:
        raise CommandExecutionError(f"Error refreshing package database: {finished['stderr']}")
    found: dict[str, bool] = {}
    for line in finished["stdout"].splitlines():
        words = line.split()
        if "is up to date" in line:
            found[words[0]] = False
        elif "downloading" in line and not line.strip().startswith("::"):
            found[words[1].split(".")[0]] = True
    return found


def install(
    name: str | None = None,
    refresh: bool = False,
    sysupgrade: bool | None = None,
    pkgs: Any = None,
    sources: Any = None,
    **kwargs: Any,
) -> dict[str, dict[str, str]]:
    """Install packages; return {name: {"old": version, "new": version}} of the changes.

    Give one of `name` (with `version`), `pkgs` (names or one-item mappings of name to version) and `sources`
    (one-item mappings of name to a package file). A version may be a glob or have an operator. `refresh`
    refreshes the package lists first, `sysupgrade` also upgrades all other packages. On failure raises
    CommandExecutionError, which holds the changes made.

    Example::

        salt-g pkg.install pkgs='["foo", {"bar": "1.2.3-4"}]'
    """
    targets, kind = parsed(name, pkgs, sources, **kwargs)
    if not targets:
        return {}
    if kind == "file":
        words = ["-U", *_QUIET, *targets]
    else:
        switches = [*(["-y"] if refresh is True else []), *(["-u"] if sysupgrade is True else [])]
        words = ["-S", *switches, *_QUIET, "--needed", *_constraints(targets)]
    words += _rooted(kwargs.get("root"))
    return change(lambda: _pacman(words), list_pkgs, "Problem encountered installing package(s)")


def upgrade(refresh: bool = False, root: str | None = None, **kwargs: Any) -> dict[str, dict[str, str]]:
    """Upgrade all packages; return {name: {"old": version, "new": version}}.

    On failure raises CommandExecutionError, which holds the changes made.

    Example::

        salt-g pkg.upgrade refresh=True
    """
    old = list_pkgs()
    words = ["pacman", "-Su", *_QUIET, *(["-y"] if is_true(refresh) else []), *_rooted(root)]
    finished = run([*_systemd.scope_prefix(), *words])
    forget_packages()
    return upgraded(finished, old, list_pkgs())


def remove(name: str | None = None, pkgs: Any = None, **kwargs: Any) -> dict[str, dict[str, str]]:
    """Remove packages; return {name: {"old": version, "new": ""}}.

    Example::

        salt-g pkg.remove foo,bar
    """
    return _uninstall("-R", name, pkgs, kwargs)


def purge(name: str | None = None, pkgs: Any = None, **kwargs: Any) -> dict[str, dict[str, str]]:
    """Remove packages with their dependents and unneeded dependencies.

    Example::

        salt-g pkg.purge foo
    """
    return _uninstall("-Rsc", name, pkgs, kwargs)


def file_list(*packages: str, **kwargs: Any) -> dict[str, list[str]]:
    """Return {"errors", "files"} of packages, or of all packages if none is named.

    The first argument can be the path of another system's root.

    Example::

        salt-g pkg.file_list bash
    """
    lines = _files(packages)
    return {
        "errors": [line for line in lines if line.startswith("error")],
        "files": [line.partition(" ")[2] for line in lines if not line.startswith("error")],
    }


def file_dict(*packages: str, **kwargs: Any) -> dict[str, Any]:
    """Return {"errors", "packages": {name: [file, ...]}} of packages, or of all packages if none is named.

    The first argument can be the path of another system's root.

    Example::

        salt-g pkg.file_dict bash
    """
    lines = _files(packages)
    found: dict[str, list[str]] = {}
    for name, _, path in (line.partition(" ") for line in lines if not line.startswith("error")):
        found.setdefault(name, []).append(path)
    return {"errors": [line for line in lines if line.startswith("error")], "packages": found}


def owner(*paths: str, **kwargs: Any) -> Any:
    """Return the package that a file belongs to, or '' if no package owns it; a mapping for several.

    Example::

        salt-g pkg.owner /usr/bin/bash
    """
    return one_or_all({path: output(["pacman", "-Qqo", path]) for path in paths}) if paths else ""


def group_list() -> dict[str, list[str]]:
    """Return {"installed", "partially_installed", "available"}, each a list of the names of groups.

    Example::

        salt-g pkg.group_list
    """
    available = _groups(output(["pacman", "-Sgg"]))
    there = _groups(output(["pacman", "-Qg"]))
    known = [group for group in there if group in available]
    whole = [group for group in known if len(there[group]) == len(available[group])]
    return {
        "installed": sorted(whole),
        "partially_installed": sorted(set(known) - set(whole)),
        "available": sorted(set(available) - set(known)),
    }


def group_info(name: str) -> dict[str, list[str]]:
    """Return the members of a group by kind: `mandatory`, `optional`, `default`, `conditional`.

    With pacman all members are of the kind `default`.

    Example::

        salt-g pkg.group_info xorg
    """
    found: dict[str, list[str]] = {kind: [] for kind in _KINDS}
    found["default"] = sorted(_groups(output(["pacman", "-Sgg", name])).get(name, []))
    return found


def group_diff(name: str) -> dict[str, dict[str, list[str]]]:
    """Return {kind: {"installed", "not installed"}}, each a list of members of a group.

    Example::

        salt-g pkg.group_diff xorg
    """
    there, members = list_pkgs(), group_info(name)
    return {
        kind: {
            "installed": [each for each in members[kind] if each in there],
            "not installed": [each for each in members[kind] if each not in there],
        }
        for kind in _KINDS
    }


def _installed(root: str | None) -> Versions:
    found: Versions = {}
    for name, number in _pairs(output(["pacman", "-Q", *_rooted(root)])):
        found.setdefault(name, []).append(number)
    return {name: sorted(set(found[name])) for name in sorted(found)}


def _pairs(text: str) -> Iterator[tuple[str, str]]:
    """Yield the two words of each two-word line; lines that begin with `::` are messages."""
    for words in (line.split() for line in text.splitlines()):
        if len(words) == 2 and words[0] != "::":
            yield words[0], words[1]


def _rooted(root: str | None) -> list[str]:
    return ["-r", root] if root else []


def _pacman(words: list[str]) -> list[str]:
    return errors_of(run([*_systemd.scope_prefix(), "pacman", *words]))


def _constraints(targets: dict[str, str | None]) -> list[str]:
    """Return pacman's argument for each target; raise CommandExecutionError if a version glob is invalid."""
    arguments, errors = [], []
    parts = {name: split_comparison(wanted) if wanted else None for name, wanted in targets.items()}
    globs = [name for name, part in parts.items() if part and "*" in part[1]]
    offered = list_repo_pkgs(*globs) if globs else {}
    for name, part in parts.items():
        operator, number = part or ("", "")
        try:
            if name in globs and operator not in ("", "="):
                raise LookupError(f"Invalid wildcard for {name}{operator}{number}")
            number = glob_match(name, number, offered.get(name, [])) if name in globs else number
        except LookupError as exc:
            errors.append(str(exc))
        arguments.append(f"{name}{operator or '='}{number}" if part else name)
    if errors:
        info = {"errors": errors, "changes": {}}
        raise CommandExecutionError("Problem encountered installing package(s)", info=info)
    return arguments


def _uninstall(how: str, name: str | None, pkgs: Any, more: dict[str, Any]) -> dict[str, dict[str, str]]:
    there = list_pkgs()
    targets = [each for each in parsed(name, pkgs)[0] or {} if each in there]
    if not targets:
        return {}
    words = [how, *_QUIET, *targets, *_rooted(more.get("root"))]
    return change(lambda: _pacman(words), list_pkgs, "Problem encountered removing package(s)")


def _files(packages: tuple[str, ...]) -> list[str]:
    root = [packages[0]] if packages and os.path.exists(packages[0]) else []
    return output(["pacman", "-Ql", *_rooted("".join(root)), *packages[len(root) :]]).splitlines()


def _groups(text: str) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    pairs: Iterable[tuple[str, str]] = _pairs(text)
    for group, package in pairs:
        found.setdefault(group, []).append(package)
    return found

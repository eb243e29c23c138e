"""Packages offered by the repositories: candidates, descriptions, refresh."""

from __future__ import annotations

import fnmatch
import re
from typing import Any

from salt_g.api import pillar
from salt_g.errors import CommandExecutionError
from salt_g.modules._booleans import is_true
from salt_g.modules._packages import clear_refresh_flag, offered_by_repository, one_or_all
from salt_g.modules._rpm_versions import compare
from salt_g.modules.zypperpkg._zypper import elements, solvables, zypper

#: Maximum number of names per run of zypper.
_BATCH = 200
#: {keyword: option of `zypper search`}
_SEARCH_OPTIONS = {
    "provides": "--provides",
    "recommends": "--recommends",
    "requires": "--requires",
    "suggests": "--suggests",
    "conflicts": "--conflicts",
    "obsoletes": "--obsoletes",
    "file_list": "--file-list",
    "search_descriptions": "--search-descriptions",
    "case_sensitive": "--case-sensitive",
    "installed_only": "--installed-only",
    "not_installed_only": "-u",
    "details": "--details",
}
_MATCHES = {"exact": "--match-exact", "words": "--match-words", "substrings": "--match-substrings"}


def refresh_db(
    force: bool | None = None, root: str | None = None, gpgautoimport: bool = False, **kwargs: Any
) -> dict[str, bool]:
    """Refresh all repositories (or `repos`); return {name: whether there was new data}.

    `force` (pillar `zypper:refreshdb_force`, True) refreshes even if nothing seems to have changed,
    `gpgautoimport` trusts the keys of the repositories.

    Example::

        salt-g pkg.refresh_db force=False
    """
    clear_refresh_flag()
    settings = pillar.get("zypper") or {}
    forced = settings.get("refreshdb_force", True) if force is None else force
    repos = kwargs.get("repos") or []
    words = [
        *(["--gpg-auto-import-keys"] if gpgautoimport else []),
        "refresh",
        *(["--force"] if forced else []),
        *(repos if isinstance(repos, list) else [repos]),
    ]
    found: dict[str, bool] = {}
    for line in zypper(*words, root=root, refresh=True)["stdout"].splitlines():
        name = re.match(r"\s*(Repository|Building)[^']*'([^']+)'", line)
        if name and name.group(1) == "Repository" and "is up to date" in line:
            found[name.group(2)] = False
        elif name and name.group(1) == "Building" and "done" in line:
            found[name.group(2)] = True
    return found


def list_upgrades(refresh: bool = True, root: str | None = None, **kwargs: Any) -> dict[str, str]:
    """Return {name: new version} of upgradable packages; `fromrepo` uses only one repository.

    Example::

        salt-g pkg.list_upgrades refresh=False
    """
    if is_true(refresh):
        refresh_db(root=root, **kwargs)
    only = ["--repo", kwargs["fromrepo"]] if "fromrepo" in kwargs else []
    updates = elements("update", "list-updates", *only, root=root, read_only=True)
    return {
        update.attrib["name"]: update.attrib["edition"]
        for update in updates
        if "edition" in update.attrib and update.get("kind") == "package"
    }


def list_updates(refresh: bool = True, root: str | None = None, **kwargs: Any) -> dict[str, str]:
    """Return the result of `pkg.list_upgrades`.

    Example::

        salt-g pkg.list_updates refresh=False
    """
    return list_upgrades(refresh, root, **kwargs)


def info_available(*names: str, **kwargs: Any) -> dict[str, dict[str, Any]]:
    """Return {name: {field: text}} of packages in repositories; `refresh` (True) refreshes these first.

    Example::

        salt-g pkg.info_available bash refresh=False
    """
    if not names:
        return {}
    root = kwargs.get("root")
    if is_true(kwargs.get("refresh", True)):
        refresh_db(root=root)
    wanted = sorted(set(names))
    found: dict[str, dict[str, Any]] = {}
    for start in range(0, len(wanted), _BATCH):
        batch = wanted[start : start + _BATCH]
        text = zypper("info", "-t", "package", *batch, root=root, read_only=True)["stdout"]
        for part in re.split("Information for package.*", text):
            about = _fields(part)
            if "name" in about:
                found[about.pop("name")] = about
    return found


def info(*names: str, **kwargs: Any) -> dict[str, dict[str, Any]]:
    """Return the result of `pkg.info_available`.

    Example::

        salt-g pkg.info bash refresh=False
    """
    return info_available(*names, **kwargs)


def latest_version(*names: str, **kwargs: Any) -> Any:
    """Return the version that installing a package would bring, or '' if there is none or no newer one.

    Several names give a mapping; `refresh` (True) refreshes the package lists first.

    Example::

        salt-g pkg.latest_version bash refresh=False
    """
    if not names:
        return {}
    information = info_available(*names, **kwargs)
    found = {}
    for name in sorted(set(names)):
        status = information.get(name, {}).get("status", "").lower()
        is_new = "not installed" in status or "out-of-date" in status
        found[name] = information[name].get("version") if is_new else ""
    return one_or_all(found)


def available_version(*names: str, **kwargs: Any) -> Any:
    """Return the result of `pkg.latest_version`.

    Example::

        salt-g pkg.available_version bash refresh=False
    """
    return latest_version(*names, **kwargs)


def upgrade_available(name: str, **kwargs: Any) -> bool:
    """Return whether there is a newer version of a package than the installed one, if any.

    Example::

        salt-g pkg.upgrade_available bash
    """
    return bool(latest_version(name, **kwargs))


def list_repo_pkgs(*args: str, **kwargs: Any) -> dict[str, Any]:
    """Return {name: [version, ...]} of the packages in the repositories, newest first; names may be globs.

    `byrepo` returns {repository: {name: [version, ...]}}, `fromrepo` selects one repository.

    Example::

        salt-g pkg.list_repo_pkgs 'samba4*' byrepo=True
    """
    found: dict[str, dict[str, list[str]]] = {}
    for each in solvables("se", "-s", *map(str, args), root=kwargs.get("root")):
        if each.get("kind") != "package" or not {"repository", "name", "edition"} <= each.keys():
            continue
        is_wanted = not args or any(fnmatch.fnmatch(each["name"], str(arg)) for arg in args)
        if is_wanted and kwargs.get("fromrepo") in (None, "", each["repository"]):
            found.setdefault(each["repository"], {}).setdefault(each["name"], []).append(each["edition"])
    return offered_by_repository(found, kwargs.get("byrepo"), compare)


def search(criteria: str, refresh: bool = False, **kwargs: Any) -> dict[str, dict[str, str]]:
    """Return {name: {attribute: text}} of the packages that match `criteria`, a name or a part of one.

    `match` is `exact`, `words` or `substrings`; further keywords are zypper's options
    (`provides`, `requires`, `installed_only`, `details`, ...). Raises CommandExecutionError
    when nothing is found.

    Example::

        salt-g pkg.search bash match=exact
    """
    root = kwargs.get("root")
    if is_true(refresh):
        refresh_db(root=root)
    match = _MATCHES.get(kwargs.get("match", ""))
    options = [option for key, option in _SEARCH_OPTIONS.items() if kwargs.get(key)]
    words = ["search", *([match] if match else []), *options, criteria]
    found = solvables(*words, root=root, read_only=True, is_strict=False)
    if not found:
        raise CommandExecutionError(f"No packages found matching '{criteria}'")
    return {each["name"]: each for each in found}


def resolve_capabilities(
    pkgs: Any, refresh: bool = False, root: str | None = None, **kwargs: Any
) -> list[Any]:
    """Return the list `pkgs`, with capabilities replaced by the names of packages.

    An item is a name or a one-item mapping of name to version. A capability is replaced if only one package
    provides it. Nothing is replaced unless `resolve_capabilities` is true.

    Example::

        salt-g pkg.resolve_capabilities '["w3m_ssl"]' resolve_capabilities=True
    """
    if is_true(refresh):
        refresh_db(root=root)
    resolved: list[Any] = []
    for item in pkgs:
        name, version = next(iter(item.items())) if isinstance(item, dict) else (item, None)
        if kwargs.get("resolve_capabilities"):
            name = _provider(name, root)
        resolved.append({name: version} if version else name)
    return resolved


def _provider(name: str, root: str | None) -> str:
    """Return the only package that provides a capability; else, or if a package has this name, the name."""
    for how in ({}, {"provides": True}):
        try:
            found = search(name, root=root, match="exact", **how)
        except CommandExecutionError:
            continue
        return next(iter(found)) if how and len(found) == 1 else name
    return name


def _fields(text: str) -> dict[str, Any]:
    pairs = (line.partition(":")[::2] for line in text.splitlines() if ":" in line)
    found: dict[str, Any] = {key.strip().lower(): value.strip() for key, value in pairs if value.strip()}
    if "installed" in found:
        found["installed"] = found["installed"].lower().startswith("yes")
    return found

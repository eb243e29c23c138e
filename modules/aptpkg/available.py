"""Packages offered by the repositories: candidates, upgrades, descriptions, refresh."""

from __future__ import annotations

import logging
import os
import re
import time
from collections.abc import Iterator
from typing import Any

from salt_g.api import opts
from salt_g.errors import CommandExecutionError, InvocationError
from salt_g.modules._booleans import as_list, is_true
from salt_g.modules._debian_versions import compare
from salt_g.modules._packages import clear_refresh_flag
from salt_g.modules.aptpkg._apt import apt
from salt_g.modules.aptpkg.query import list_pkgs

log = logging.getLogger(__name__)

#: Directory of apt's package lists; its modification time is that of the last refresh.
LISTS_DIRECTORY = "/var/lib/apt/lists"
#: Time limit in seconds of a refresh (its first attempt) without the setting `aptpkg_refresh_db_timeout`.
REFRESH_TIMEOUT = 30

#: {first word of a line of `apt-get update`: result for the repository in that line}
_WORDS = {"Get": True, "Ign": False, "Hit": None, "Err": False}


def refresh_db(cache_valid_time: float = 0, failhard: bool = False, **kwargs: Any) -> dict[str, bool | None]:
    """Refresh the package lists from the repositories.

    Returns {repository: True (new data), None (nothing new) or False (failed or ignored)}.
    Does nothing and returns {} if the last refresh is younger than `cache_valid_time` seconds. `failhard`
    raises if a repository failed. `timeout` (seconds) limits the first attempt, by default to the setting
    `aptpkg_refresh_db_timeout` or 30.

    Example::

        salt-g pkg.refresh_db cache_valid_time=3600
    """
    clear_refresh_flag()
    if cache_valid_time and _age_of_lists() < cache_valid_time:
        return {}
    timeout = kwargs.get("timeout", opts.get("aptpkg_refresh_db_timeout", REFRESH_TIMEOUT))
    started = time.monotonic()
    finished = apt(["apt-get", "-q", "update"], scope=False, timeout=timeout)
    if "Timed out" in finished["stdout"]:
        apt(["apt-get", "-q", "clean"], scope=False)
        # Do not retry unreachable servers; apt's default is four attempts.
        finished = apt(["apt-get", "-q", "-o", "Acquire::Retries=0", "update"], scope=False)
    if finished["retcode"] != 0:
        raise CommandExecutionError(finished["stderr"])
    answers = list(_answers(finished["stdout"]))
    broken = [repo for word, repo in answers if word == "Err"]
    if broken:
        waited = time.monotonic() - started
        log.error("repositories failed, waited %.1f s: %s", waited, ", ".join(broken))
    if broken and is_true(failhard):
        raise CommandExecutionError(f"Error getting repos: {', '.join(broken)}")
    return {repo: _WORDS[word] for word, repo in answers}


def latest_version(*names: str, **kwargs: Any) -> Any:
    """Return the version that installing a package would bring, or '' if the newest is installed.

    Several names give a mapping. `refresh` (True) refreshes the lists first, `fromrepo` prefers a release,
    `show_installed` returns the newest version even if it is installed.

    Example::

        salt-g pkg.latest_version bash refresh=False
    """
    if "repo" in kwargs:
        raise InvocationError("The 'repo' argument is invalid, use 'fromrepo' instead")
    if not names:
        return ""
    installed = list_pkgs(versions_as_list=True)
    if is_true(kwargs.get("refresh", True)):
        refresh_db(kwargs.get("cache_valid_time", 0))
    candidates = _candidates(names, kwargs.get("fromrepo"))
    wanted = [each for name in names for each in _known_as(name, candidates)]
    found = dict.fromkeys(names, "")
    for name in wanted:
        candidate = candidates.get(name, "")
        is_newest = any(compare(each, candidate) >= 0 for each in installed.get(name, []))
        found[name] = candidate if is_true(kwargs.get("show_installed")) or not is_newest else ""
    return found[wanted[0]] if len(wanted) == 1 else found


def available_version(*names: str, **kwargs: Any) -> Any:
    """Return the result of `pkg.latest_version`.

    Example::

        salt-g pkg.available_version bash refresh=False
    """
    return latest_version(*names, **kwargs)


def upgrade_available(name: str, **kwargs: Any) -> bool:
    """Return whether a newer version of a package than the installed one is available.

    If the package is not installed, any available version counts as newer.

    Example::

        salt-g pkg.upgrade_available bash
    """
    return bool(latest_version(name) != "")


def list_upgrades(refresh: bool = True, dist_upgrade: bool = True, **kwargs: Any) -> dict[str, str]:
    """Return {name: new version} of the packages that an upgrade would change.

    `dist_upgrade=False` leaves out upgrades that require other packages to be installed or removed,
    `fromrepo` prefers a release.

    Example::

        salt-g pkg.list_upgrades refresh=False
    """
    if is_true(refresh):
        refresh_db(kwargs.get("cache_valid_time", 0))
    words = ["apt-get", "--just-print", "dist-upgrade" if dist_upgrade else "upgrade"]
    if "fromrepo" in kwargs:
        words += ["-o", f"APT::Default-Release={kwargs['fromrepo']}"]
    finished = apt(words)
    if finished["retcode"] != 0:
        reason = finished["stderr"] or finished["stdout"]
        raise CommandExecutionError(
            f"Failed to get upgrades: {reason}" if reason else "Failed to get upgrades"
        )
    return dict(re.findall(r"(?m)^Conf ([^ ]+) \(([^ ]+)", finished["stdout"]))


def list_repo_pkgs(*args: str, **kwargs: Any) -> dict[str, list[str]]:
    """Return {name: [version, ...]} of available packages, newest first; all packages if none is named.

    Example::

        salt-g pkg.list_repo_pkgs bash
    """
    words = ["apt-cache", "show", *args] if args else ["apt-cache", "dump"]
    found: dict[str, list[str]] = {}
    name = ""
    for line in apt(words, scope=False)["stdout"].splitlines():
        key, _, value = line.strip().partition(":")
        if line.startswith("Package:"):
            name = value.strip()
        elif key == "Version":
            found.setdefault(name, []).append(value.strip())
    return found


def show(*names: str, **kwargs: Any) -> dict[str, dict[str, dict[str, str]]]:
    """Return {name: {version: {field: value}}} of package descriptions in the repositories.

    `filter` (list or comma-separated text) keeps only these fields, `refresh` refreshes the lists first.

    Example::

        salt-g pkg.show bash filter=description,section
    """
    kept = {str(field).lower() for field in as_list(kwargs.get("filter"))}
    unknown = [key for key in kwargs if key not in ("filter", "refresh") and not key.startswith("__")]
    if unknown:
        raise InvocationError(f"The following keyword arguments are not valid: {', '.join(unknown)}")
    if is_true(kwargs.get("refresh", False)):
        refresh_db()
    found: dict[str, dict[str, dict[str, str]]] = {}
    text = apt(["apt-cache", "show", *names], scope=False)["stdout"] if names else ""
    for stanza in text.split("\n\n"):
        fields = dict(_fields(stanza))
        name, version = fields.pop("Package", None), fields.pop("Version", None)
        if name is not None and version is not None:
            wanted = {key: value for key, value in fields.items() if not kept or key.lower() in kept}
            found.setdefault(name, {}).setdefault(version, {}).update(wanted)
    return found


def _fields(stanza: str) -> Iterator[tuple[str, str]]:
    for line in stanza.splitlines():
        key, colon, value = line.partition(":")
        if colon:
            yield key.strip(), value.strip()


def _age_of_lists() -> float:
    """Return the age of the package lists in seconds, infinity if never refreshed."""
    try:
        return time.time() - os.stat(LISTS_DIRECTORY).st_mtime
    except OSError:
        return float("inf")


def _answers(text: str) -> Iterator[tuple[str, str]]:
    """Yield (word, repository) for each line of output of `apt-get update` about a repository."""
    for line in text.splitlines():
        first, _, rest = line.partition(" ")
        word = next((word for word in _WORDS if word in first), None)
        if word:
            repo = " ".join(rest.split())
            yield word, re.sub(r" \[.+B\]$", "", repo) if word == "Get" else repo


def _candidates(names: tuple[str, ...], fromrepo: str | None) -> dict[str, str]:
    """Return {name: version} of apt's candidates; '' for a known name without a candidate."""
    words = ["apt-cache", "-q", "policy", *names]
    if fromrepo:
        words += ["-o", f"APT::Default-Release={fromrepo}"]
    found: dict[str, str] = {}
    name = ""
    for line in apt(words, scope=False)["stdout"].splitlines():
        if line.endswith(":") and not line.startswith(" "):
            name = line[:-1]
        elif line.strip().startswith("Candidate:"):
            candidate = line.split()[-1]
            found[name] = "" if candidate in ("(none)", "Candidate:") else candidate
    return found


def _known_as(name: str, candidates: dict[str, str]) -> list[str]:
    """Return the names by which apt knows a package: the plain name, or one for each foreign architecture."""
    if name in candidates:
        return [name]
    return [each for each in candidates if each.startswith(f"{name}:")] or [name]

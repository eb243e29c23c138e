"""Packages offered by the repositories: candidates, upgrades, refresh."""

from __future__ import annotations

import fnmatch
import logging
from collections.abc import Iterable
from typing import Any

from salt_g.api import grains
from salt_g.modules._booleans import as_list, is_true
from salt_g.modules._packages import clear_refresh_flag, newest_first, offered_by_repository
from salt_g.modules._rpm_versions import compare
from salt_g.modules.yumpkg._yum import AvailablePackage, is_dnf, options_of, parse_list, program, yum
from salt_g.modules.yumpkg.query import list_pkgs
from salt_g.modules.yumpkg.repos import list_repos
from salt_g.process.redaction import RedactedOutput

log = logging.getLogger(__name__)

#: Return codes of `check-update`: there are updates, there are none, or it failed.
_ANSWERS = {100: True, 0: None, 1: False}


def refresh_db(**kwargs: Any) -> bool | None:
    """Refresh the package lists; return True if there are updates, None if not, False on failure.

    `check_update` False only clears the cache and returns True. Further arguments are options of the program:
    `fromrepo`, `enablerepo`, `disablerepo`, `disableexcludes`, `branch` and `setopt`.

    Example::

        salt-g pkg.refresh_db enablerepo=epel
    """
    clear_refresh_flag()
    options = options_of(kwargs)
    yum(["--quiet", "--assumeyes", "clean", "expire-cache", *options])
    if not kwargs.get("check_update", True):
        return True
    words = ["--quiet", "--assumeyes", "check-update"]
    if grains.get("os_family") == "RedHat" and grains.get("osmajorrelease") == 7:
        words.append("--setopt=autocheck_running_kernel=false")
    return _ANSWERS.get(yum([*words, *options])["retcode"], False)


def clean_metadata(**kwargs: Any) -> bool | None:
    """Refresh the package lists, as `pkg.refresh_db` does.

    Example::

        salt-g pkg.clean_metadata
    """
    return refresh_db(**kwargs)


def latest_version(*names: str, **kwargs: Any) -> Any:
    """Return the version that installing a package would bring, or '' if there is none or no newer one.

    Several names give a mapping. `refresh` (True) refreshes the package lists first; further arguments are
    those of `pkg.refresh_db`.

    Example::

        salt-g pkg.latest_version bash refresh=False
    """
    if not names:
        return ""
    if is_true(kwargs.pop("refresh", True)):
        refresh_db(**kwargs)
    installed = list_pkgs(versions_as_list=True)
    finished = yum(["--quiet", *options_of(kwargs), "list", "available", *names])
    if finished["retcode"] != 0 and finished["stderr"] and not all(name in installed for name in names):
        log.error("No version of %s is available: %s", ", ".join(names), RedactedOutput(finished["stderr"]))
    offered = list(parse_list(finished["stdout"])) if finished["retcode"] == 0 else []
    found = {name: _newest(name, offered, installed.get(name, [])) for name in names}
    return found[names[0]] if len(names) == 1 else found


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
    return bool(latest_version(name, **kwargs) != "")


def list_upgrades(refresh: bool = True, **kwargs: Any) -> dict[str, str]:
    """Return {name: new version} of the packages that an upgrade would change.

    Example::

        salt-g pkg.list_upgrades refresh=False
    """
    if is_true(refresh):
        refresh_db(check_update=False, **kwargs)
    what = "--upgrades" if is_dnf() else "updates"
    finished = yum(["--quiet", *options_of(kwargs), "list", what])
    if finished["retcode"] != 0 and "Error:" in finished["stdout"]:
        return {}
    return {each.name: each.version for each in parse_list(finished["stdout"])}


def list_updates(refresh: bool = True, **kwargs: Any) -> dict[str, str]:
    """Return the result of `pkg.list_upgrades`.

    Example::

        salt-g pkg.list_updates refresh=False
    """
    return list_upgrades(refresh, **kwargs)


def list_repo_pkgs(*args: str, **kwargs: Any) -> dict[str, Any]:
    """Return {name: [version, ...]} of the packages in the repositories, newest first; names may be globs.

    `byrepo` returns {repository: {name: [version, ...]}}, `fromrepo`, `enablerepo` and `disablerepo` select
    repositories, `cacheonly` uses only the cache.

    Example::

        salt-g pkg.list_repo_pkgs 'samba4*' byrepo=True
    """
    found: dict[str, dict[str, list[str]]] = {}
    options = ["-C"] if kwargs.get("cacheonly") else []
    for repo in _chosen_repositories(kwargs):
        if program() == "tdnf":
            words = ["--quiet", f"--enablerepo={repo}", "list"]
        else:
            words = ["--quiet", "--showduplicates", "repository-packages", repo, "list"]
        finished = yum([*words, *options, *args])
        if finished["retcode"] != 0 and "Error:" in finished["stdout"]:
            continue
        for each in parse_list(finished["stdout"]):
            if not args or any(fnmatch.fnmatch(each.name, arg) for arg in args):
                found.setdefault(each.repository, {}).setdefault(each.name, []).append(each.version)
    return offered_by_repository(found, kwargs.get("byrepo"), compare)


def _newest(name: str, offered: Iterable[AvailablePackage], installed: list[str]) -> str:
    """Return the newest available version newer than the installed one, or '' if there is none."""
    versions = newest_first((each.version for each in offered if each.name == name), compare)
    newer = [each for each in versions if not any(compare(ours, each) >= 0 for ours in installed)]
    return newer[0] if newer else ""


def _chosen_repositories(arguments: dict[str, Any]) -> list[str]:
    fromrepo = as_list(arguments.get("fromrepo"))
    if fromrepo:
        return fromrepo
    enabled, disabled = (as_list(arguments.get(key)) for key in ("enablerepo", "disablerepo"))
    return [
        name
        for name, repo in list_repos().items()
        if name in enabled or (name not in disabled and str(repo.get("enabled", "1")) == "1")
    ]

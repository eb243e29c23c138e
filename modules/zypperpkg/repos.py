"""Repositories of zypper: listing, lookup, adding, changing, removing.

Shapes: a repository is {option: value} as its `.repo` file has it, with `alias`; `0` and `1` are
booleans, `NONE` is None.
"""

from __future__ import annotations

import os
from typing import Any
from urllib.parse import urlsplit

from salt_g.errors import CommandExecutionError
from salt_g.modules._repo_files import files_in
from salt_g.modules.zypperpkg._zypper import messages, zypper
from salt_g.modules.zypperpkg.available import refresh_db

_DIRECTORY = "/etc/zypp/repos.d"
_WORDS = {"0": False, "1": True, "NONE": None}
#: {keyword: (option for true, option for false)} of `zypper modifyrepo`
_SWITCHES = {
    "enabled": ("--enable", "--disable"),
    "refresh": ("--refresh", "--no-refresh"),
    "cache": ("--keep-packages", "--no-keep-packages"),
    "gpgcheck": ("--gpgcheck", "--no-gpgcheck"),
}


def list_repos(root: str | None = None, **kwargs: Any) -> dict[str, dict[str, Any]]:
    """Return {alias: repository} of all repositories, disabled ones too.

    Example::

        salt-g pkg.list_repos
    """
    directory = os.path.join(root or "/", _DIRECTORY.lstrip("/"))
    found = {alias: repo for file in files_in([directory]) for alias, repo in file.repos().items()}
    return {alias: {**_read(repo), "alias": alias} for alias, repo in found.items()}


def get_repo(repo: str, root: str | None = None, **kwargs: Any) -> dict[str, Any]:
    """Return a repository by its alias, or {} if there is none.

    Example::

        salt-g pkg.get_repo repo-oss
    """
    return list_repos(root).get(repo, {})


def del_repo(repo: str, root: str | None = None, **kwargs: Any) -> dict[str, Any]:
    """Remove a repository; return {alias: True, "message": zypper's message}.

    Example::

        salt-g pkg.del_repo repo-oss
    """
    if repo in list_repos(root):
        text = zypper("rr", "--loose-auth", "--loose-query", repo, root=root, xml=True)["stdout"]
        removed = messages(text)
        if removed:
            return {repo: True, "message": removed[0]}
    raise CommandExecutionError(f"Repository '{repo}' not found.")


def mod_repo(repo: str, **kwargs: Any) -> dict[str, Any]:
    """Add a repository or change its options; return the repository, with a `comment` if nothing changed.

    `baseurl`, `mirrorlist` or `url` is its address, `name` (or `humanname`) its name; `enabled`, `refresh`
    (automatic), `cache` (keep packages), `gpgcheck` are booleans, `priority` is a number; `gpgautoimport`
    trusts its keys.

    Example::

        salt-g pkg.mod_repo alias name='A Repository' baseurl=https://example.org/repo
    """
    root = kwargs.get("root")
    before = get_repo(repo, root)
    if not before:
        _add(repo, kwargs, root)
    elif kwargs.get("baseurl") not in (None, before.get("baseurl")):
        del_repo(repo, root)
        return mod_repo(repo, **{"cache": False, **before, **kwargs})
    options = _options(kwargs)
    if options:
        zypper("mr", *options, repo, root=root, refresh=True, xml=True)
    if kwargs.get("gpgautoimport") is True:
        refresh_db(root=root, gpgautoimport=True, repos=repo)
    after = get_repo(repo, root)
    if before and not options and kwargs.get("gpgautoimport") is not True:
        after["comment"] = "Specified arguments did not result in modification of repo"
    return after


def _read(repo: dict[str, Any]) -> dict[str, Any]:
    return {key: _WORDS.get(value, value) for key, value in repo.items() if key != "comments"}


def _add(repo: str, arguments: dict[str, Any], root: str | None) -> None:
    url = arguments.get("url") or arguments.get("mirrorlist") or arguments.get("baseurl")
    if not url:
        raise CommandExecutionError(
            f"Repository '{repo}' not found, and neither 'baseurl' nor 'mirrorlist' was specified"
        )
    if not urlsplit(url).scheme:
        raise CommandExecutionError(
            f"Repository '{repo}' not found and URL for baseurl/mirrorlist is malformed"
        )
    for alias, other in list_repos(root).items():
        if _place(str(other.get("baseurl", ""))) == _place(url):
            raise CommandExecutionError(f"Repository '{repo}' already exists as '{alias}'.")
    zypper("ar", url, repo, root=root, xml=True)
    if repo not in list_repos(root):
        raise CommandExecutionError(
            f"Failed add new repository '{repo}' for unspecified reason. Please check zypper logs."
        )


def _place(url: str) -> tuple[str, str, str, str]:
    """Return the parts of a URL for comparison, with an empty path as `/`."""
    parts = urlsplit(url)
    return parts.scheme, parts.netloc, parts.path or "/", parts.query


def _options(arguments: dict[str, Any]) -> list[str]:
    words = [yes if arguments[key] else no for key, (yes, no) in _SWITCHES.items() if key in arguments]
    if "priority" in arguments:
        words.append(f"--priority={arguments['priority']}")
    name = arguments.get("name") or arguments.get("humanname")
    return [*words, "--name", str(name)] if name else words

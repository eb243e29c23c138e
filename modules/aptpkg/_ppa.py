"""Launchpad's personal package archives: `ppa:owner/name` translated to a repository line.

Only Ubuntu and its derivatives support them.

Source: stock docs of `pkg.mod_repo`; Launchpad's web service, version 1.0.
"""

from __future__ import annotations

from typing import Any

from salt_g.api import call, grains
from salt_g.errors import CommandExecutionError

_SYSTEMS = ("Ubuntu", "Mint", "neon")
_PUBLIC = "deb http://ppa.launchpad.net/{owner}/{name}/ubuntu {dist} main"
_PRIVATE = "deb https://{auth}@private-ppa.launchpad.net/{owner}/{name}/ubuntu {dist} main"
_ABOUT = "https://launchpad.net/api/1.0/~{owner}/+archive/{name}"
#: Key server of Launchpad.
KEYSERVER = "keyserver.ubuntu.com"


def is_ppa(repo: str) -> bool:
    """Return whether a repository is given as a personal package archive, `ppa:owner/name`."""
    return repo.startswith("ppa:")


def is_known_here() -> bool:
    """Return whether this system supports personal package archives."""
    return grains["os"] in _SYSTEMS


def without_ppa(repo: str, auth: str | None = None) -> str:
    """Return the repository line, translated if given as `ppa:owner/name` and supported by this system.

    `auth` is `user:password` for a private archive.
    """
    if not (is_ppa(repo) and is_known_here()):
        return repo
    owner, name = parts(repo)
    return (_PRIVATE if auth else _PUBLIC).format(
        auth=auth, owner=owner, name=name, dist=grains["oscodename"]
    )


def parts(repo: str) -> tuple[str, str]:
    """Return (owner, name) of `ppa:owner/name`."""
    owner, slash, name = repo[len("ppa:") :].partition("/")
    if not slash:
        raise CommandExecutionError(
            'Unable to get PPA info from argument. Expected format "<PPA_OWNER>/<PPA_NAME>" '
            f"(e.g. saltstack/salt) not found.  Received '{repo[4:]}' instead."
        )
    return owner, name


def file_of(repo: str) -> str:
    """Return the path of the file for an archive's repository."""
    owner, name = parts(repo)
    return f"/etc/apt/sources.list.d/{owner}-{name}-{grains['oscodename']}.list"


def about(repo: str) -> dict[str, Any]:
    """Return Launchpad's description of an archive (`signing_key_fingerprint`, `private`, ...)."""
    owner, name = parts(repo)
    answer = call("http.query", _ABOUT.format(owner=owner, name=name), decode=True, decode_type="json")
    if "error" in answer or "dict" not in answer:
        reason = answer.get("error", "no data")
        raise CommandExecutionError(f"Launchpad does not know about {owner}/{name}: {reason}")
    known: dict[str, Any] = answer["dict"]
    return known

"""Additions and changes of repositories, with their signing keys."""

from __future__ import annotations

import os
from typing import Any

import salt_g.modules.aptpkg._ppa as _ppa
from salt_g.api import call, grains
from salt_g.errors import CommandExecutionError, InvocationError
from salt_g.modules._booleans import is_true
from salt_g.modules._programs import is_installed
from salt_g.modules.aptpkg._apt import apt
from salt_g.modules.aptpkg._planned import plan
from salt_g.modules.aptpkg._source import Source
from salt_g.modules.aptpkg.available import refresh_db
from salt_g.modules.aptpkg.keys import add_repo_key, get_repo_keys, has_aptkey
from salt_g.modules.aptpkg.repos import get_repo


def mod_repo(repo: str, saltenv: str = "base", aptkey: bool = True, **kwargs: Any) -> dict[str, Any]:
    """Add the repository of this line, or update a matching entry (the same type, URI and suite).

    `file` is the file for a new entry; `comps`, `architectures` (comma-separated), `dist`, `disabled`,
    `enabled`, `signedby`, `trusted`, `comments` override the line, in a `.sources` file also `types`, `uris`
    and `suites`; the key is given by `key_url`, `key_text` or `keyid` with `keyserver`; `ppa_auth` is
    `user:password` for a private `ppa:owner/name`. `refresh` (True) refreshes the package lists afterwards.
    Returns {repo: result of `pkg.get_repo`}.

    Example::

        salt-g pkg.mod_repo 'deb http://example.org/debian bookworm main' file=/etc/apt/sources.list.d/x.list
    """
    refresh = is_true(kwargs.get("refresh_db", kwargs.get("refresh", True)))
    if _ppa.is_ppa(repo):
        _refuse_unknown_ppa(repo)
        if is_installed("apt-add-repository") and "ppa_auth" not in kwargs:
            return _add_with_ubuntus_program(repo, refresh)
        repo, kwargs = _with_ppa_arguments(repo, kwargs)
    aptkey = has_aptkey(aptkey)
    planned = plan(repo, kwargs)
    _import_keys(planned.wanted, kwargs, saltenv, aptkey)
    if planned.present:
        planned.file.replace(planned.present, planned.wanted)
    else:
        if not aptkey and not planned.wanted.signedby and not planned.wanted.trusted:
            raise InvocationError("missing 'signedby' or 'trusted' option when apt-key is missing")
        planned.file.add(planned.wanted)
    planned.file.save()
    if refresh:
        refresh_db()
    return {repo: get_repo(repo, **kwargs)}


def _refuse_unknown_ppa(repo: str) -> None:
    if not _ppa.is_known_here():
        raise CommandExecutionError(f'cannot parse "ppa:" style repo definitions: {repo}')


def _add_with_ubuntus_program(repo: str, refresh: bool) -> dict[str, Any]:
    known = get_repo(repo)
    if known:
        return {repo: known}
    words = ["apt-add-repository", "-y", repo]
    finished = apt(words, scope=False)
    if finished["retcode"]:
        raise CommandExecutionError(
            f"Unable to add PPA '{repo[4:]}'. '{words}' exited with status "
            f"{finished['retcode']}: '{finished['stderr']}'"
        )
    if refresh:
        refresh_db()
    return {repo: finished}


def _with_ppa_arguments(repo: str, arguments: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    """Return the line of an archive, and the arguments with the archive's file, suite and key as defaults."""
    auth = arguments.get("ppa_auth")
    about = _ppa.about(repo)
    if auth and not about["private"]:
        raise CommandExecutionError(f"PPA is not private but auth credentials passed: {repo}")
    if auth and "keyid" not in arguments:
        raise CommandExecutionError(f"Private PPAs require a keyid to be specified: {repo[4:]}")
    brought = {"file": _ppa.file_of(repo), "keyserver": _ppa.KEYSERVER, "dist": grains["oscodename"]}
    if not auth:
        brought["keyid"] = about["signing_key_fingerprint"]
    return _ppa.without_ppa(repo, auth), {**brought, **arguments}


def _import_keys(wanted: Source, arguments: dict[str, Any], saltenv: str, aptkey: bool) -> None:
    if "keyid" in arguments:
        _import_by_id(wanted, arguments, aptkey)
    elif "key_url" in arguments:
        _import_by_url(wanted, arguments["key_url"], saltenv, aptkey)
    elif "key_text" in arguments:
        directory, name = os.path.split(wanted.signedby)
        key = {"text": arguments["key_text"], "keydir": directory or None, "keyfile": name or None}
        if not add_repo_key(aptkey=aptkey, **key):
            raise CommandExecutionError(f"Error: failed to add key:\n{arguments['key_text']}")


def _import_by_id(wanted: Source, arguments: dict[str, Any], aptkey: bool) -> None:
    ids, keyserver = arguments["keyid"], arguments.get("keyserver")
    if not ids or not keyserver:
        raise NameError("both keyserver and keyid options required.")
    directory, name = os.path.split(wanted.signedby)
    known = get_repo_keys(aptkey=aptkey, keydir=directory or None) or {}
    for key in (hex(each) if isinstance(each, int) else each for each in _listed(ids)):
        if any(each.endswith(key) for each in known):
            continue
        added = add_repo_key(
            keyid=key, keyserver=keyserver, aptkey=aptkey, keydir=directory or None, keyfile=name or None
        )
        if not added:
            raise CommandExecutionError(f"Error: Could not add key: {key}")


def _import_by_url(wanted: Source, url: str, saltenv: str, aptkey: bool) -> None:
    if not call("cp.cache_file", url, saltenv):
        raise CommandExecutionError(f"Error: file not found: {url}")
    directory, name = os.path.split(wanted.signedby)
    added = add_repo_key(
        path=url, saltenv=saltenv, aptkey=aptkey, keydir=directory or None, keyfile=name or None
    )
    if not added:
        raise CommandExecutionError(f"Error: failed to add key from {url}")


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]

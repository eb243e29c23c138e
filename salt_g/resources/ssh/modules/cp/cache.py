"""Copies of the master's files in a cache directory on the host (`/var/cache/salt-g/ssh`)."""

from __future__ import annotations

import logging
import os
import posixpath

from salt_g.api import opts, services
from salt_g.data.path_patterns import is_included
from salt_g.errors import CommandExecutionError
from salt_g.formats import salturl
from salt_g.formats.urls import without_password
from salt_g.resources.ssh import _cached_files, _files, _remote, _sources
from salt_g.resources.ssh.modules.cp._common import chosen, local_path

log = logging.getLogger(__name__)


def cache_file(
    path: str,
    saltenv: str | None = None,
    source_hash: str | None = None,
    verify_ssl: bool = True,
    use_etag: bool = False,
) -> str | bool:
    """Cache a file on the host and return its path there, False if it does not exist.

    A path on the host (also `file://`) is returned unchanged.

    Example::

        salt-g web-01 cp.cache_file salt://motd
    """
    here = local_path(path)
    if here:
        return here if _files.path_state(here).is_file else False
    env = chosen(saltenv, path)
    local = _sources.cached_path(path, env, source_hash=source_hash, verify_ssl=verify_ssl, use_etag=use_etag)
    if not local:
        log.error("Unable to cache file '%s' from saltenv '%s'.", without_password(path), env)
        return False
    return _cached_files.keep(_sources.read(local), _cached_files.path_of(path, env))


def cache_files(paths: list[str] | str, saltenv: str | None = None) -> list[str | bool]:
    """Cache several files (a list or comma-separated text) and return their paths on the host.

    Example::

        salt-g web-01 cp.cache_files salt://motd,salt://issue
    """
    return [cache_file(path, saltenv) for path in (paths.split(",") if isinstance(paths, str) else paths)]


def cache_dir(
    path: str,
    saltenv: str | None = None,
    include_empty: bool = False,
    include_pat: str | None = None,
    exclude_pat: str | None = None,
) -> list[str | bool]:
    """Cache all files below a directory of the master and return their paths on the host.

    `include_pat` and `exclude_pat` are globs, or regular expressions after `E@`. `include_empty` creates
    empty directories, too.

    Example::

        salt-g web-01 cp.cache_dir salt://site include_pat='*.conf'
    """
    env, files = chosen(saltenv, path), services().files
    prefix = salturl.parse(path).path.rstrip("/") + "/"
    names = [name for name in files.list_files(env, prefix) if is_included(name, include_pat, exclude_pat)]
    cached = cache_files([salturl.create(name) for name in names], env)
    for name in files.list_empty_dirs(env, prefix) if include_empty else ():
        made = _cached_files.path_of(salturl.create(name), env)
        _files.make_directory(made, mode="0700")
        cached.append(made)
    return cached


def cache_master(saltenv: str | None = None) -> list[str | bool]:
    """Cache all files of an environment and return their paths on the host.

    Example::

        salt-g web-01 cp.cache_master
    """
    env = chosen(saltenv)
    return cache_files([salturl.create(name) for name in services().files.list_files(env)], env)


def cache_dest(url: str, saltenv: str | None = None) -> str:
    """Return the path on the host for the copy of a URL, whether the copy exists or not.

    Example::

        salt-g web-01 cp.cache_dest salt://motd
    """
    return local_path(url) or _cached_files.path_of(url, chosen(saltenv, url))


def is_cached(path: str, saltenv: str | None = None) -> str:
    """Return the path on the host of a file's copy, '' if there is no copy.

    Example::

        salt-g web-01 cp.is_cached salt://motd
    """
    env = chosen(saltenv, path)
    candidates = (_cached_files.path_of(path, env), _cached_files.rendered_path(path, env))
    return next((found for found in candidates if _files.path_state(found).exists), "")


def list_minion(saltenv: str | None = None) -> list[str]:
    """Return the paths of all files of an environment that are cached on the host.

    Example::

        salt-g web-01 cp.list_minion
    """
    below = posixpath.join(_cached_files.directory(), "files", chosen(saltenv))
    return sorted(_remote.output('[ ! -d "$1" ] || find "$1" -type f', below).splitlines())


def convert_cache_path(path: str, cachedir: str | None = None, master: bool = True) -> str:
    """Return the path on this machine of a file cached on the host; with `master=False` the reverse.

    This machine keeps one copy for all hosts, but no copies of rendered templates. Other paths are returned
    unchanged.

    Example::

        salt-g ssh web-01 cp.convert_cache_path /var/cache/salt-g/ssh/files/base/motd
    """
    if cachedir:
        raise CommandExecutionError(
            "cp.convert_cache_path: cachedir is not supported for hosts of resource type ssh"
        )
    directories = (_cached_files.directory(), str(opts["cachedir"]))
    source, dest = directories if master else directories[::-1]
    return os.path.join(dest, path[len(source) + 1 :]) if path.startswith(f"{source}/") else path

"""Files copied into the cache of this machine."""

from __future__ import annotations

import logging
import os
from typing import Any

from salt_g.api import scratch, services
from salt_g.data.path_patterns import is_included
from salt_g.formats import salturl
from salt_g.formats.urls import is_remote, without_password
from salt_g.modules.cp.saltenv import chosen
from salt_g.process.disk import make_private_directory

log = logging.getLogger(__name__)


def cache_file(
    path: str,
    saltenv: str | None = None,
    source_hash: str | None = None,
    verify_ssl: bool = True,
    use_etag: bool = False,
) -> str | bool:
    """Cache one file and return its local path, False if the file server has no such file.

    `path` is a `salt://`, `http(s)://` or `file://` URL or an absolute path. An `http(s)://` URL is fetched
    once per run, and not at all if the cached file matches `source_hash` or, with `use_etag`, if its server
    reports it as unchanged. A local file is not copied: its own path is returned.

    Example::

        salt-g cp.cache_file salt://path/to/file
    """
    saltenv = chosen(saltenv)
    from_network = is_remote(path)
    remembered = f"cp.cache_file_|-{path}_|-{saltenv}"
    if from_network and os.path.isfile(scratch.get(remembered) or ""):
        return str(scratch[remembered])
    found = services().files.cache_file(
        path, saltenv, source_hash=source_hash, verify_ssl=verify_ssl, use_etag=use_etag
    )
    if from_network:
        scratch[remembered] = found
    if not found:
        log.error("Unable to cache file '%s' from saltenv '%s'.", without_password(path), saltenv)
    return found or False


def cache_file_ssh(
    path: str,
    saltenv: str | None = None,
    source_hash: str | None = None,
    verify_ssl: bool = True,
    use_etag: bool = False,
) -> str | bool:
    """Return the result of `cp.cache_file`.

    Example::

        salt-g cp.cache_file_ssh salt://path/to/file
    """
    return cache_file(path, saltenv, source_hash, verify_ssl, use_etag)


def cache_files(paths: list[str] | str, saltenv: str | None = None) -> list[str | bool]:
    """Cache several files (a list or comma-separated text) and return their local paths.

    A file that the file server does not have gives False.

    Example::

        salt-g cp.cache_files salt://path/to/file1,salt://path/to/file2
    """
    wanted = paths.split(",") if isinstance(paths, str) else paths
    return [services().files.cache_file(path, chosen(saltenv)) or False for path in wanted]


def cache_dir(
    path: str,
    saltenv: str | None = None,
    include_empty: bool = False,
    include_pat: str | None = None,
    exclude_pat: str | None = None,
) -> list[str]:
    r"""Cache all files below a directory of the file server and return the local paths.

    `include_pat` and `exclude_pat` are globs, or regular expressions after `E@`, for the paths in the
    environment (`path/to/dir/name`). `include_empty` also creates the empty directories and returns them.

    Example::

        salt-g cp.cache_dir salt://path/to/dir include_pat='E@\.py$'
    """
    parts = salturl.parse(path)
    saltenv = parts.saltenv or chosen(saltenv)
    prefix = parts.path.rstrip("/") + "/"
    files = services().files
    cached = [
        files.cache_file(salturl.create(name), saltenv)
        for name in files.list_files(saltenv)
        if name.startswith(prefix) and is_included(name, include_pat, exclude_pat)
    ]
    if include_empty:
        cached += _empty_directories(prefix, saltenv)
    return [path for path in cached if path]


def cache_master(saltenv: str | None = None) -> list[str | bool]:
    """Cache all files of an environment and return their local paths.

    Example::

        salt-g cp.cache_master
    """
    names = services().files.list_files(chosen(saltenv))
    return cache_files([salturl.create(name) for name in names], saltenv)


def cache_local_file(path: str) -> str:
    """Copy a file of this machine into the cache and return the copy's path, or '' if there is no such file.

    Example::

        salt-g cp.cache_local_file /etc/hosts
    """
    files = services().files
    if not os.path.exists(path):
        return ""
    cached = files.is_cached(path)
    if cached and files.hash_file(cached) == files.hash_file(path):
        return cached
    return files.cache_local_file(path)


def cache_dest(url: str, saltenv: str | None = None) -> str:
    """Return the cache path of a URL, whether it is cached or not.

    Example::

        salt-g cp.cache_dest https://foo.com/bar.rpm
    """
    return services().files.cache_dest(url, chosen(saltenv))


def is_cached(path: str, saltenv: str | None = None) -> str:
    """Return the path of the cached copy of a file, or '' if there is none.

    Example::

        salt-g cp.is_cached salt://path/to/file
    """
    return services().files.is_cached(path, chosen(saltenv))


def _empty_directories(prefix: str, saltenv: str) -> list[Any]:
    """Create the file server's empty directories below `prefix` in the cache and return their paths."""
    files = services().files
    made = []
    for name in files.list_empty_dirs(saltenv):
        if name.startswith(prefix):
            path = files.cache_dest(salturl.create(name), saltenv)
            make_private_directory(path)
            made.append(path)
    return made

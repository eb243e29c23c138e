"""Copies of files in a cache directory on the host, private to the user that functions run as.

The directory has the layout of a minion's cache: `files/<env>/<path>`, `extrn_files/<env>/<host>/<path>`. It
is created with the first copy.
"""

from __future__ import annotations

import hashlib
import os
import posixpath

from salt_g.api import opts, scratch, services
from salt_g.resources.ssh import _files, _remote

#: Prints the cache directory: a fixed one for root, one below the home directory for other users.
_DIRECTORY = """
if [ "$(id -u)" = 0 ]; then echo /var/cache/salt-g/ssh; else echo "${HOME:?}/.cache/salt-g/ssh"; fi
"""
_CONTEXT = "cp.cache directory"


def directory() -> str:
    """Return the path of the cache directory on the host."""
    if _CONTEXT not in scratch:
        scratch[_CONTEXT] = _remote.output(_DIRECTORY).strip()
    return str(scratch[_CONTEXT])


def path_of(url: str, saltenv: str) -> str:
    """Return the path on the host for the copy of a URL, whether the copy exists or not."""
    return posixpath.join(directory(), _below(url, saltenv))


def rendered_path(url: str, saltenv: str) -> str:
    """Return the path on the host for the rendered copy of a template."""
    return posixpath.join(directory(), "extrn_files", _below(url, saltenv).partition("/")[2])


def _below(url: str, saltenv: str) -> str:
    """Return the path of a URL's copy, relative to the cache directory."""
    return os.path.relpath(services().files.cache_dest(url, saltenv), str(opts["cachedir"]))


def keep(content: bytes, path: str) -> str:
    """Write a copy to the host, unless the file there already has its content; return the path."""
    seen = _files.path_state(path, wanted=_files.HASH)
    if not seen.is_file or seen.hash != hashlib.sha256(content).hexdigest():
        _files.write(path, content, mode="0600", makedirs=True, dir_mode="0700")
    return path

"""Files and environments on the file server."""

from __future__ import annotations

import logging
import stat
from typing import Any

from salt_g.api import services
from salt_g.formats.salturl import is_salt_url
from salt_g.modules.cp.saltenv import chosen

log = logging.getLogger(__name__)


def envs() -> list[str]:
    """Return the file environments.

    Example::

        salt-g cp.envs
    """
    return services().files.envs()


def list_master(saltenv: str | None = None, prefix: str = "") -> list[str]:
    """Return the paths of all files of an environment, or only those paths that begin with `prefix`.

    Example::

        salt-g cp.list_master
    """
    return services().files.list_files(chosen(saltenv), prefix)


def list_master_dirs(saltenv: str | None = None, prefix: str = "") -> list[str]:
    """Return the paths of all directories of an environment, or only those paths that begin with `prefix`.

    Example::

        salt-g cp.list_master_dirs
    """
    return services().files.list_dirs(chosen(saltenv), prefix)


def list_master_symlinks(saltenv: str | None = None, prefix: str = "") -> dict[str, str]:
    """Return {path: target} of the links in an environment, or only of paths that begin with `prefix`.

    Example::

        salt-g cp.list_master_symlinks
    """
    return services().files.list_symlinks(chosen(saltenv), prefix)


def list_minion(saltenv: str | None = None) -> list[str]:
    """Return the paths of all cached files of an environment and of all copies by `cp.cache_local_file`.

    Example::

        salt-g cp.list_minion
    """
    return services().files.cached_files(chosen(saltenv))


def list_states(saltenv: str | None = None) -> list[str]:
    """Return the names of all SLS files of an environment.

    Example::

        salt-g cp.list_states
    """
    return services().files.list_states(chosen(saltenv))


def hash_file(path: str, saltenv: str | None = None) -> dict[str, str] | str | list[Any]:
    """Return {'hsum': hex digest, 'hash_type': name} of a `salt://` or local file.

    A missing `salt://` file gives '', a missing local file [{}, None], as in stock.

    Example::

        salt-g cp.hash_file salt://path/to/file
    """
    found = services().files.hash_file(path, chosen(saltenv))
    if found:
        return found
    if is_salt_url(path):
        return ""
    log.warning("specified file %s is not present to generate hash", path)
    return [{}, None]


def hash_file_ssh(path: str, saltenv: str | None = None) -> dict[str, str] | str | list[Any]:
    """Return the result of `cp.hash_file`.

    Example::

        salt-g cp.hash_file_ssh salt://path/to/file
    """
    return hash_file(path, saltenv)


def stat_file(path: str, saltenv: str | None = None, octal: bool = True) -> str | int | None:
    """Return the mode of a `salt://` or local file, or None if there is no such file.

    The result is octal text (`0644`), or with `octal=False` the full `st_mode` number.

    Example::

        salt-g cp.stat_file salt://path/to/file
    """
    status = services().files.stat_file(path, chosen(saltenv))
    if status is None:
        return None
    return f"0{stat.S_IMODE(status.st_mode):o}" if octal is True else status.st_mode

"""File access of the states for keys and certificates, on this machine or on a host without a minion."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from salt_g import safe_files
from salt_g.api import opts, resource
from salt_g.errors import CommandExecutionError
from salt_g.process import disk
from salt_g.process.old_versions import DIRECTORY, ON_MINION, keep_old_version
from salt_g.x509 import key_files
from salt_g.x509.key_files import HostFiles


def is_file(path: str) -> bool:
    """Return whether a path is a regular file, after following links."""
    host = _host()
    return os.path.isfile(path) if host is None else host.is_file(path)


def is_link(path: str) -> bool:
    """Return whether a path is a symbolic link."""
    host = _host()
    return os.path.islink(path) if host is None else host.is_link(path)


def resolved(path: str) -> str:
    """Return a path with links resolved; on another host unchanged, because the host follows links itself."""
    return safe_files.resolved(path) if _host() is None else path


def remove(path: str) -> None:
    """Remove a file or link."""
    host = _host()
    if host is None:
        safe_files.remove_file(path)
    else:
        host.remove(path)


def move(source: str, path: str) -> None:
    """Move a file; raise OSError or CommandExecutionError if that fails."""
    host = _host()
    if host is None:
        safe_files.move(source, path)
    else:
        host.move(source, path)


def rewrite(path: str, data: bytes, arguments: Mapping[str, Any], *, existed: bool) -> None:
    """Replace the content of a file with bytes.

    Keep the old version if `backup`, or else the setting `backup_mode`, asks for it.
    """
    keeps_old = existed and (arguments.get("backup") or opts.get("backup_mode")) in ON_MINION
    host = _host()
    if host is not None:
        host.write(path, data, mode=disk.PRIVATE_FILE, keeps_old=keeps_old)
        return
    found = safe_files.resolved(path)
    if keeps_old:
        keep_old_version(found, os.path.join(opts["cachedir"], DIRECTORY))
    disk.rewrite(found, data)


def _host() -> HostFiles | None:
    """Return access to the files of the call's host, or None for this machine; refuse other resources."""
    host = key_files.of_host()
    if host is None and resource:
        raise CommandExecutionError("keys and certificates of a resource cannot be managed by this state")
    return host

"""Old versions of managed files, kept below the cache directory.

`process/old_versions.py` makes the copies and determines their paths.
"""

from __future__ import annotations

import datetime
import logging
import os
from typing import Any

from salt_g import safe_files
from salt_g.api import opts
from salt_g.process.old_versions import DIRECTORY, STAMP, keep_old_version

log = logging.getLogger(__name__)

_SHOWN = "%a %b %d %Y %H:%M:%S.%f"


def backup_root() -> str:
    """Return the directory that holds all copies."""
    return os.path.join(opts["cachedir"], DIRECTORY)


def list_backups(path: str, limit: int | None = None) -> dict[int, dict[str, Any]]:
    """Return {number: {"Backup Time", "Size", "Location"}} of a file's old versions, the newest as 0.

    `limit` is the number of versions to return.

    Example::

        salt-g file.list_backups /etc/hosts
    """
    folder, name = os.path.split(os.path.expanduser(path))
    found = _versions(os.path.join(backup_root(), folder[1:]), name)
    return dict(enumerate([found[when] for when in sorted(found, reverse=True)][: _number(limit)]))


def list_backup(path: str, limit: int | None = None) -> dict[int, dict[str, Any]]:
    """Return the result of `list_backups`.

    Example::

        salt-g file.list_backup /etc/hosts
    """
    return list_backups(path, limit)


def list_backups_dir(path: str, limit: int | None = None) -> dict[str, dict[int, dict[str, Any]]]:
    """Return {file name: its old versions, as in `list_backups`} for the directory part of `path`.

    End the path of a directory in `/`. `limit` is the number of versions of each file. Directories with
    copies below them have an empty value.

    Example::

        salt-g file.list_backups_dir /etc/
    """
    folder = os.path.join(backup_root(), os.path.dirname(os.path.expanduser(path))[1:])
    if not os.path.isdir(folder):
        return {}
    listed: dict[str, dict[int, dict[str, Any]]] = {}
    for name in sorted({_original(entry) for entry in os.listdir(folder)}):
        found = _versions(folder, name)
        listed[name] = dict(
            enumerate([found[when] for when in sorted(found, reverse=True)][: _number(limit)])
        )
    return listed


def restore_backup(path: str, backup_id: int | str) -> dict[str, Any]:
    """Restore an old version by its number in `list_backups`; the present file becomes an old version, too.

    Returns {"result", "comment"}.

    Example::

        salt-g file.restore_backup /etc/hosts 0
    """
    path = os.path.expanduser(path)
    location, complaint = _located(path, backup_id)
    if not location:
        return {"result": False, "comment": complaint}
    try:
        if os.path.exists(path):
            keep_old_version(path, backup_root())
        safe_files.copy_file(location, path)
    except OSError as exc:
        return {"result": False, "comment": f"Unable to restore {location} to {path}: {exc}"}
    return {"result": True, "comment": f"Successfully restored {location} to {path}"}


def delete_backup(path: str, backup_id: int | str) -> dict[str, Any]:
    """Remove an old version by its number in `list_backups`; returns {"result", "comment"}.

    Example::

        salt-g file.delete_backup /etc/hosts 0
    """
    location, complaint = _located(os.path.expanduser(path), backup_id)
    if not location:
        return {"result": False, "comment": complaint}
    try:
        safe_files.remove_file(location)
    except OSError as exc:
        return {"result": False, "comment": f"Unable to remove {location}: {exc}"}
    return {"result": True, "comment": f"Successfully removed {location}"}


def remove_backup(path: str, backup_id: int | str) -> dict[str, Any]:
    """Remove an old version as `delete_backup` does.

    Example::

        salt-g file.remove_backup /etc/hosts 0
    """
    return delete_backup(path, backup_id)


def _original(entry: str) -> str:
    """Return the name of a copy's file; the name of an entry that is no copy is returned unchanged."""
    name, *stamp = entry.rsplit("_", STAMP.count("_") + 1)
    return name if name and _time_of("_".join(stamp)) else entry


def _time_of(stamp: str) -> datetime.datetime | None:
    try:
        return datetime.datetime.strptime(stamp, STAMP)
    except ValueError:
        return None


def _versions(folder: str, name: str) -> dict[datetime.datetime, dict[str, Any]]:
    found: dict[datetime.datetime, dict[str, Any]] = {}
    for entry in os.listdir(folder) if os.path.isdir(folder) else ():
        location = os.path.join(folder, entry)
        when = _time_of(entry.removeprefix(f"{name}_")) if entry.startswith(f"{name}_") else None
        if when and os.path.isfile(location):
            size = os.stat(location).st_size
            found[when] = {"Backup Time": when.strftime(_SHOWN), "Size": size, "Location": location}
    return found


def _located(path: str, backup_id: int | str) -> tuple[str, str]:
    """Return the path of an old version and '', or '' and the error about its number."""
    text = str(backup_id)
    if not text.isdigit() or text != str(int(text)):
        return "", f"Invalid backup_id '{backup_id}'"
    version = list_backups(path).get(int(text))
    if version is None:
        return "", f"backup_id '{backup_id}' does not exist for {path}"
    return version["Location"], ""


def _number(limit: int | str | None) -> int | None:
    try:
        return None if limit is None else int(limit)
    except ValueError:
        log.error("limit of file.list_backups must be a number, not %r", limit)
        return None

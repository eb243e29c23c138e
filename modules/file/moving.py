"""Touching, copying, renaming, moving and removing of files and trees."""

from __future__ import annotations

import os
import time
from typing import Any

from salt_g import safe_files
from salt_g.errors import CommandExecutionError, InvocationError
from salt_g.modules.file.permissions import check_perms
from salt_g.modules.file.stats import stats


def touch(name: str, atime: int | str | None = None, mtime: int | str | None = None) -> bool:
    """Create an empty file if missing, and set its times (seconds; default now).

    Example::

        salt-g file.touch /var/log/emptyfile
    """
    name = os.path.expanduser(name)
    accessed, modified = _seconds(atime), _seconds(mtime)
    try:
        if not os.path.exists(name):
            with open(name, "ab", opener=safe_files.opener):
                pass
        if accessed is None and modified is None:
            safe_files.change_times(name)
        else:
            now = time.time()
            times = (now if accessed is None else accessed, now if modified is None else modified)
            safe_files.change_times(name, times)
    except TypeError as exc:
        raise InvocationError("atime and mtime must be integers") from exc
    except OSError as exc:
        raise CommandExecutionError(exc.strerror or str(exc)) from exc
    return os.path.exists(name)


def rename(src: str, dst: str) -> bool:
    """Rename a file within the same file system.

    Example::

        salt-g file.rename /tmp/a /tmp/b
    """
    src, dst = os.path.expanduser(src), os.path.expanduser(dst)
    if not os.path.isabs(src):
        raise InvocationError("File path must be absolute.")
    try:
        safe_files.rename(src, dst)
    except OSError as exc:
        raise CommandExecutionError(f"Could not rename '{src}' to '{dst}': {exc}") from exc
    return True


def move(src: str, dst: str, disallow_copy_and_unlink: bool = False) -> bool | dict[str, Any]:
    """Move a file or directory, copying it if the target is on another file system.

    With `disallow_copy_and_unlink` it is only renamed, never copied, and the result is True, otherwise
    {"result", "comment"}.

    Example::

        salt-g file.move /tmp/a /srv/a
    """
    if disallow_copy_and_unlink:
        return rename(src, dst)
    src, dst = os.path.expanduser(src), os.path.expanduser(dst)
    if not os.path.isabs(src):
        raise InvocationError("Source path must be absolute.")
    if not os.path.isabs(dst):
        raise InvocationError("Destination path must be absolute.")
    try:
        safe_files.move(src, dst)
    except OSError as exc:
        raise CommandExecutionError(f"Unable to move '{src}' to '{dst}': {exc}") from exc
    return {"result": True, "comment": f"'{src}' moved to '{dst}'"}


def copy(src: str, dst: str, recurse: bool = False, remove_existing: bool = False) -> bool:
    """Copy a file, or with `recurse` a tree; the target gets the owner and mode of the source.

    `remove_existing` removes a target tree first instead of copying into it.

    Example::

        salt-g file.copy /etc/hosts /tmp/hosts
    """
    src, dst = os.path.expanduser(src), os.path.expanduser(dst)
    if not os.path.isabs(src):
        raise InvocationError("File path must be absolute.")
    if not os.path.exists(src):
        raise CommandExecutionError(f"No such file or directory '{src}'")
    if (os.path.isdir(dst) or os.path.isdir(src)) and not recurse:
        raise InvocationError("Cannot copy overwriting a directory without recurse flag set to true!")
    before = stats(src)
    try:
        _copy(src, dst, remove_existing)
    except OSError as exc:
        raise CommandExecutionError(f"Could not copy '{src}' to '{dst}': {exc}") from exc
    check_perms(dst, None, before["user"], before["group"], before["mode"])
    return True


def remove(path: str, **kwargs: Any) -> bool:
    """Remove a file, a link or a whole directory; return False if it does not exist.

    Example::

        salt-g file.remove /tmp/foo
    """
    path = os.path.expanduser(path)
    if not os.path.isabs(path):
        raise InvocationError(f"File path must be absolute: {path}")
    try:
        if not os.path.lexists(path):
            return False
        safe_files.remove(path)
    except OSError as exc:
        raise CommandExecutionError(f"Could not remove '{path}': {exc}") from exc
    return True


def _copy(src: str, dst: str, remove_existing: bool) -> None:
    if not (os.path.isdir(src) or os.path.isdir(dst)):
        safe_files.copy_file(src, dst)
    elif remove_existing:
        if os.path.exists(dst):
            safe_files.remove(dst)
        safe_files.copy_tree(src, dst)
    else:
        safe_files.copy_into(src, dst)


def _seconds(value: int | str | None) -> Any:
    return int(value) if value and str(value).isdigit() else value

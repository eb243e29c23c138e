"""Directories: creation with owner and mode for the missing ones, and removal."""

from __future__ import annotations

import logging
import os
import time
from typing import Any

from salt_g import safe_files
from salt_g.errors import InvocationError
from salt_g.modules.file.permissions import check_perms

log = logging.getLogger(__name__)

_DAY = 86400


def mkdir(
    dir_path: str,
    user: str | int | None = None,
    group: str | int | None = None,
    mode: str | int | None = None,
) -> bool:
    """Create a directory and its missing parents; set owner and mode of the created ones.

    Example::

        salt-g file.mkdir /opt/app user=root group=root mode=0755
    """
    directory = os.path.normpath(os.path.expanduser(dir_path))
    if not os.path.isdir(directory):
        makedirs_perms(directory, user, group, mode)
    return True


def makedirs(
    path: str, user: str | int | None = None, group: str | int | None = None, mode: str | int | None = None
) -> str | None:
    """Create the missing parents of a path; return an error text if its parent exists already.

    The last component counts as a file name: end the path in `/` to create that directory too.

    Example::

        salt-g file.makedirs /opt/app/conf/
    """
    directory = os.path.normpath(os.path.dirname(os.path.expanduser(path)))
    if os.path.isdir(directory):
        return f"Directory '{directory}' already exists"
    if os.path.exists(directory):
        return f"The path '{directory}' already exists and is not a directory"
    for missing in _missing(directory):
        mkdir(missing, user=user, group=group, mode=mode)
    return None


def makedirs_perms(
    name: str, user: str | int | None = None, group: str | int | None = None, mode: str | int | None = "0755"
) -> None:
    """Create a directory and its missing parents, all with this owner and mode.

    Example::

        salt-g file.makedirs_perms /opt/app mode=0750
    """
    name = os.path.normpath(os.path.expanduser(name))
    parent = os.path.dirname(name)
    if parent and not os.path.exists(parent):
        makedirs_perms(parent, user, group, mode)
    safe_files.make_directory(name)
    check_perms(name, None, user, group, str(mode) if mode else None)


def rmdir(
    path: str, recurse: bool = False, verbose: bool = False, older_than: int | None = None
) -> bool | dict[str, Any]:
    """Remove an empty directory; with `recurse` also the empty directories below it.

    `older_than` keeps directories changed within this number of days. Returns False if a removal failed or,
    without `recurse`, if nothing was removed, else True; with `verbose` {"deleted": [...], "errors":
    [[path, text], ...], "result": bool}.

    Example::

        salt-g file.rmdir /tmp/foo recurse=True
    """
    path = os.path.expanduser(path)
    if not os.path.isabs(path):
        raise InvocationError("File path must be absolute.")
    if not os.path.isdir(path):
        raise InvocationError(f"A valid directory was not specified: {path}")
    deleted: list[str] = []
    errors: list[list[str]] = []
    limit = _oldest(older_than)
    for directory in [*(_below(path) if recurse else ()), path]:
        if not limit or os.path.getmtime(directory) < limit:
            _remove_empty(directory, deleted, errors)
    result = not errors and (recurse or bool(deleted))
    return {"deleted": deleted, "errors": errors, "result": result} if verbose else result


def _missing(directory: str) -> list[str]:
    """Return the missing directories of a path, outermost first."""
    found: list[str] = []
    while not os.path.isdir(directory):
        found.insert(0, directory)
        parent = os.path.dirname(directory)
        if parent == directory:
            raise InvocationError(
                f"Recursive creation for path '{directory}' would result in an infinite loop. "
                "Please use an absolute path."
            )
        directory = parent
    return found


def _below(path: str) -> list[str]:
    """Return all directories below a path, innermost first."""
    return [
        os.path.join(folder, name)
        for folder, folders, _ in safe_files.walk(path, topdown=False)
        for name in folders
    ]


def _remove_empty(directory: str, deleted: list[str], errors: list[list[str]]) -> None:
    try:
        safe_files.remove_directory(directory)
    except OSError as exc:
        errors.append([directory, str(exc)])
        log.error("could not remove %r: %s", directory, exc)
    else:
        deleted.append(directory)


def _oldest(days: int | None) -> float:
    """Return the time before which a directory must have changed last to be removed, or 0 for no limit."""
    if not days:
        return 0
    try:
        return time.time() - int(days) * _DAY
    except (TypeError, ValueError):
        log.error("older_than must be a number of days, not %r; any age is accepted", days)
        return 0

"""Symbolic and hard links."""

from __future__ import annotations

import contextlib
import os
import tempfile

from salt_g import safe_files
from salt_g.errors import CommandExecutionError, InvocationError
from salt_g.modules.file.stats import lstat

#: Number of attempts to find a free temporary name for an atomic link.
_ATTEMPTS = 5


def is_link(path: str, nostat: bool = False) -> bool:
    """Return whether a path is a symbolic link; `nostat` checks the directory entry instead of the path.

    Example::

        salt-g file.is_link /etc/localtime
    """
    if not nostat:
        return os.path.islink(os.path.expanduser(path))
    with os.scandir(os.path.dirname(path)) as entries:
        return any(entry.path == path and entry.is_symlink() for entry in entries)


def is_hardlink(path: str) -> bool:
    """Return whether a path has several hard links.

    Example::

        salt-g file.is_hardlink /etc/hosts
    """
    found = lstat(path)
    return bool(found) and found["st_nlink"] > 1


def readlink(path: str, canonicalize: bool = False) -> str:
    """Return the target of a symbolic link; `canonicalize` resolves all links of the path.

    Example::

        salt-g file.readlink /etc/localtime
    """
    path = os.path.expandvars(os.path.expanduser(path))
    if not os.path.isabs(path):
        raise InvocationError(f"Path to link must be absolute: {path}")
    if not os.path.islink(path):
        raise InvocationError(f"A valid link was not specified: {path}")
    return os.path.realpath(path) if canonicalize else os.readlink(path)


def link(src: str, path: str) -> bool:
    """Create a hard link `path` to `src`.

    Example::

        salt-g file.link /etc/hosts /tmp/hosts
    """
    src = os.path.expanduser(src)
    if not os.path.isabs(src):
        raise InvocationError("File path must be absolute.")
    try:
        safe_files.link(src, path)
    except OSError as exc:
        raise CommandExecutionError(f"Could not create '{path}': {exc}") from exc
    return True


def symlink(
    src: str, path: str, force: bool = False, atomic: bool = False, follow_symlinks: bool = True
) -> bool:
    """Make `path` a symbolic link to `src`.

    `force` removes an existing file first, `atomic` replaces it atomically; without them, an existing file or
    other link raises CommandExecutionError. `follow_symlinks` has no effect.

    Example::

        salt-g file.symlink /usr/share/zoneinfo/UTC /etc/localtime
    """
    path = os.path.expanduser(path)
    if not os.path.isabs(path):
        raise InvocationError(f"Link path must be absolute: {path}")
    if _leads_to(path, src):
        return True
    occupied = os.path.islink(path) or os.path.exists(path)
    if occupied and not (force or atomic):
        kind = "Found existing symlink" if os.path.islink(path) else "Existing path is not a symlink"
        raise CommandExecutionError(f"{kind}: {path}")
    if atomic:
        _replace_by_link(src, path)
        return True
    if occupied:
        safe_files.remove_file(path)
    try:
        safe_files.symlink(src, path)
    except OSError as exc:
        raise CommandExecutionError(f"Could not create '{path}': {exc}") from exc
    return True


def _leads_to(path: str, src: str) -> bool:
    with contextlib.suppress(OSError):
        return os.path.normpath(os.readlink(path)) == os.path.normpath(src)
    return False


def _replace_by_link(src: str, path: str) -> None:
    for _ in range(_ATTEMPTS):
        temporary = tempfile.mktemp(dir=os.path.dirname(path))  # noqa: S306 - a link cannot replace a file: FileExistsError
        try:
            safe_files.symlink(src, temporary)
        except FileExistsError:
            continue
        except OSError as exc:
            raise CommandExecutionError(f"Could not create '{path}': {exc}") from exc
        try:
            safe_files.rename(temporary, path)
        except OSError as exc:
            safe_files.remove_file(temporary)
            raise CommandExecutionError(f"Could not create '{path}': {exc}") from exc
        return
    raise CommandExecutionError(f"Could not create '{path}': no free temporary name in its directory")

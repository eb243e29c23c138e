"""Owners and modes of paths of the host."""

from __future__ import annotations

from typing import Any

from salt_g.errors import CommandExecutionError
from salt_g.process.disk import mode_text
from salt_g.resources.ssh import _files


def get_mode(path: str, follow_symlinks: bool = True) -> str:
    """Return the mode of a path, or '' if the path does not exist.

    Example::

        salt-g web-01 file.get_mode /etc/passwd
    """
    seen = _files.path_state(path, follow=follow_symlinks)
    return seen.mode if seen.exists else ""


def get_user(path: str, follow_symlinks: bool = True) -> str:
    """Return the user that owns a path.

    Example::

        salt-g web-01 file.get_user /etc/passwd
    """
    return _there(path, follow_symlinks).user


def get_group(path: str, follow_symlinks: bool = True) -> str:
    """Return the group that owns a path.

    Example::

        salt-g web-01 file.get_group /etc/passwd
    """
    return _there(path, follow_symlinks).group


def get_uid(path: str, follow_symlinks: bool = True) -> int:
    """Return the uid of a path's owner.

    Example::

        salt-g web-01 file.get_uid /etc/passwd
    """
    return _there(path, follow_symlinks).uid


def get_gid(path: str, follow_symlinks: bool = True) -> int:
    """Return the gid of a path's group.

    Example::

        salt-g web-01 file.get_gid /etc/passwd
    """
    return _there(path, follow_symlinks).gid


def user_to_uid(user: str | int | None) -> int | str:
    """Return the uid of a user, or '' if the user does not exist.

    Example::

        salt-g web-01 file.user_to_uid root
    """
    found = _files.path_state("/", user=user).wanted_uid
    return "" if found is None else found


def group_to_gid(group: str | int | None) -> int | str:
    """Return the gid of a group, or '' if the group does not exist.

    Example::

        salt-g web-01 file.group_to_gid root
    """
    found = _files.path_state("/", group=group).wanted_gid
    return "" if found is None else found


def set_mode(path: str, mode: Any) -> str:
    """Set the mode of a path; return the new mode.

    Example::

        salt-g web-01 file.set_mode /etc/passwd 0644
    """
    _files.set_permissions(path, mode=mode_text(mode) or "")
    return get_mode(path)


def chown(path: str, user: str | int | None, group: str | int | None) -> str | None:
    """Set the user and group of a path; return an error text, None on success.

    Example::

        salt-g web-01 file.chown /etc/passwd root root
    """
    return _chowned(path, user, group, follow=True)


def lchown(path: str, user: str | int | None, group: str | int | None) -> str | None:
    """Set the user and group of a link itself; return an error text, None on success.

    Example::

        salt-g web-01 file.lchown /etc/localtime root root
    """
    return _chowned(path, user, group, follow=False)


def chgrp(path: str, group: str | int) -> str | None:
    """Set the group of a path; return an error text, None on success.

    Example::

        salt-g web-01 file.chgrp /etc/passwd root
    """
    return chown(path, None, group)


def _there(path: str, follow: bool) -> _files.PathState:
    seen = _files.path_state(path, follow=follow)
    if not seen.exists:
        raise CommandExecutionError(f"Path not found: {path}")
    return seen


def _chowned(path: str, user: Any, group: Any, *, follow: bool) -> str | None:
    seen = _files.path_state(path, follow=follow, user=user, group=group)
    if user not in (None, "") and seen.wanted_uid is None:
        return "User does not exist\n"
    if group not in (None, "") and seen.wanted_gid is None:
        return "Group does not exist\n"
    if not seen.lexists:
        return "File not found"
    _files.set_permissions(path, owner=_files.owner_text(user, group), follow=follow)
    return None

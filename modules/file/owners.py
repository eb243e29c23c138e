"""Users and groups by name or number, and the owners of paths.

Units: ids are ints; an unknown name gives '' (as in stock), an unknown id is returned unchanged.
"""

from __future__ import annotations

import grp
import os
import pwd

from salt_g import safe_files
from salt_g.modules.file.accounts import group_name, user_name
from salt_g.modules.file.stats import stats


def uid_to_user(uid: int) -> str | int:
    """Return the name of a user id, or the id if it has no name.

    Example::

        salt-g file.uid_to_user 0
    """
    return user_name(uid)


def user_to_uid(user: str | int | None) -> int | str:
    """Return the id of a user, or '' if there is no such user; None means the current user.

    Example::

        salt-g file.user_to_uid root
    """
    if user is None:
        return os.geteuid()
    if isinstance(user, int):
        return user
    try:
        return pwd.getpwnam(user).pw_uid
    except KeyError:
        return ""


def gid_to_group(gid: int | str) -> str | int:
    """Return the name of a group id, or the id if it has no name.

    Example::

        salt-g file.gid_to_group 0
    """
    try:
        number: int | str = int(gid)
    except ValueError:
        number = group_to_gid(gid)
    return "" if isinstance(number, str) else group_name(number)


def group_to_gid(group: str | int | None) -> int | str:
    """Return the id of a group, or '' if there is no such group or for None.

    Example::

        salt-g file.group_to_gid root
    """
    if group is None:
        return ""
    if isinstance(group, int):
        return group
    try:
        return grp.getgrnam(group).gr_gid
    except KeyError:
        return ""


def get_uid(path: str, follow_symlinks: bool = True) -> int:
    """Return the id of the user that owns a path.

    Example::

        salt-g file.get_uid /etc/passwd
    """
    return int(stats(path, follow_symlinks=follow_symlinks)["uid"])


def get_gid(path: str, follow_symlinks: bool = True) -> int:
    """Return the id of the group that owns a path.

    Example::

        salt-g file.get_gid /etc/passwd
    """
    return int(stats(path, follow_symlinks=follow_symlinks)["gid"])


def get_user(path: str, follow_symlinks: bool = True) -> str | int:
    """Return the user that owns a path, by name where it has one.

    Example::

        salt-g file.get_user /etc/passwd
    """
    owner: str | int = stats(path, follow_symlinks=follow_symlinks)["user"]
    return owner


def get_group(path: str, follow_symlinks: bool = True) -> str | int:
    """Return the group that owns a path, by name where it has one.

    Example::

        salt-g file.get_group /etc/passwd
    """
    owner: str | int = stats(path, follow_symlinks=follow_symlinks)["group"]
    return owner


def chown(path: str, user: str | int | None, group: str | int | None) -> str | None:
    """Change user and group of a path, following links.

    '' keeps the owner, as does None for the group; None for the user means the current user. Returns None on
    success, else a text about the missing user, group or path.

    Example::

        salt-g file.chown /etc/passwd root root
    """
    path = os.path.expanduser(path)
    uid, gid, problems = _ids(user, group)
    if not os.path.exists(path):
        if os.path.islink(path):
            safe_files.change_owner(path, uid, gid, follow=False)
            return None
        problems += "File not found"
    if problems:
        return problems
    safe_files.change_owner(path, uid, gid)
    return None


def lchown(path: str, user: str | int | None, group: str | int | None) -> None:
    """Change user and group of a path; for a link, those of the link itself and not of its target.

    '' and None are those of `file.chown`; an unknown name is ignored.

    Example::

        salt-g file.lchown /etc/localtime root root
    """
    uid, gid, _ = _ids(user, group)
    safe_files.change_owner(os.path.expanduser(path), uid, gid, follow=False)


def chgrp(path: str, group: str | int | None) -> str | None:
    """Change the group of a path; return None on success, else an error text.

    Example::

        salt-g file.chgrp /etc/passwd root
    """
    return chown(path, get_user(path), group)


def _ids(user: str | int | None, group: str | int | None) -> tuple[int, int, str]:
    """Return the ids for `os.chown` (-1: keep) and a text about unknown names."""
    uid = user_to_uid(user)
    gid = group_to_gid(group)
    problems = "User does not exist\n" if user and uid == "" else ""
    problems += "Group does not exist\n" if group and gid == "" else ""
    return (-1 if uid == "" else int(uid)), (-1 if gid == "" else int(gid)), problems

"""Users and groups by name or number, and who owns a path.

Why its own file: every part that compares or sets ownership translates names the same way.
Units: ids are ints; an unknown name is '' (stock's answer), an unknown id is itself.
"""

from __future__ import annotations

import grp
import os
import pwd

from salt_g import safe_files
from salt_g.modules.file.accounts import group_name, user_name
from salt_g.modules.file.stats import stats


def uid_to_user(uid: int) -> str | int:
    """Return the name of a user id, or the id when nobody has it.

    Example::

        salt-g file.uid_to_user 0
    """
    return user_name(uid)


def user_to_uid(user: str | int | None) -> int | str:
    """Return the id of a user, '' when there is no such user; None is the user who asks.

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
    """Return the name of a group id, or the id when no group has it.

    Example::

        salt-g file.gid_to_group 0
    """
    try:
        number: int | str = int(gid)
    except ValueError:
        number = group_to_gid(gid)
    return "" if isinstance(number, str) else group_name(number)


def group_to_gid(group: str | int | None) -> int | str:
    """Return the id of a group, '' when there is no such group or None is asked for.

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
    """Give a path to a user and a group, following links; '' or None leaves that half alone.

    Returns None when done, else a text that says what is missing.

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
    """Give a path to a user and a group; of a link, the link itself changes hands.

    Example::

        salt-g file.lchown /etc/localtime root root
    """
    uid, gid, _ = _ids(user, group)
    safe_files.change_owner(os.path.expanduser(path), uid, gid, follow=False)


def chgrp(path: str, group: str | int | None) -> str | None:
    """Give a path to a group; returns None when done, else what is missing.

    Example::

        salt-g file.chgrp /etc/passwd root
    """
    return chown(path, get_user(path), group)


def _ids(user: str | int | None, group: str | int | None) -> tuple[int, int, str]:
    """Return the ids that `os.chown` takes (-1: leave alone) and a text of what is unknown."""
    uid = user_to_uid(user)
    gid = group_to_gid(group)
    problems = "User does not exist\n" if user and uid == "" else ""
    problems += "Group does not exist\n" if group and gid == "" else ""
    return (-1 if uid == "" else int(uid)), (-1 if gid == "" else int(gid)), problems

"""Stock's `salt.utils.user`: users and groups of this machine."""

import grp
import os
import pwd

from salt_g.process.command import identity


def get_user() -> str:
    """Return the name of the user of this process."""
    return pwd.getpwuid(os.geteuid()).pw_name


def get_uid(user: str | None = None) -> int | None:
    """Return the id of a user, or None if unknown; that of this process without a name."""
    if user is None:
        return os.geteuid()
    try:
        return pwd.getpwnam(user).pw_uid
    except KeyError:
        return None


def get_gid(group: str | None = None) -> int | None:
    """Return the id of a group, or None if unknown; that of this process without a name."""
    if group is None:
        return os.getegid()
    try:
        return grp.getgrnam(group).gr_gid
    except KeyError:
        return None


def get_group_list(user: str, include_default: bool = True) -> list[str]:
    """Return the names of a user's groups."""
    try:
        ids = os.getgrouplist(user, pwd.getpwnam(user).pw_gid)
    except KeyError:
        return []
    return sorted(group.gr_name for group in grp.getgrall() if group.gr_gid in ids)


__all__ = ["get_gid", "get_group_list", "get_uid", "get_user"]


def chugid(runas: str, group: str | None = None) -> None:
    """Give this process, a child that is about to run a program, the groups and ids of a user."""
    wanted = identity(runas, group)
    os.setgroups(wanted.groups)
    os.setgid(wanted.gid)
    os.setuid(wanted.uid)


def chugid_and_umask(runas: str | None, umask: int | None, group: str | None = None) -> None:
    """Do that where the user is another one, and set the umask."""
    if runas is not None and (group or runas != get_user()):
        chugid(runas, group)
    if umask is not None:
        os.umask(umask)

"""Stock's `salt.utils.user`: users and groups of this machine."""

import grp
import os
import pwd


def get_user() -> str:
    """Return the name of the user of this process."""
    return pwd.getpwuid(os.geteuid()).pw_name


def get_uid(user: str | None = None) -> int | None:
    """Return the id of a user, None if unknown; that of this process without a name."""
    if user is None:
        return os.geteuid()
    try:
        return pwd.getpwnam(user).pw_uid
    except KeyError:
        return None


def get_gid(group: str | None = None) -> int | None:
    """Return the id of a group, None if unknown; that of this process without a name."""
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

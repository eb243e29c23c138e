"""Stock's `salt.utils.user`: users and groups of this machine."""

import grp
import os
import pwd

from salt_g.process.command import identity


def get_user() -> str:
    """Return the name of the user of this process."""
    return pwd.getpwuid(os.geteuid()).pw_name


def get_uid(user: str | None = None) -> int | None:
    """Return the id of a user, by default the user of this process, or None if it is unknown."""
    if user is None:
        return os.geteuid()
    try:
        return pwd.getpwnam(user).pw_uid
    except KeyError:
        return None


def get_gid(group: str | None = None) -> int | None:
    """Return the id of a group, by default the group of this process, or None if it is unknown."""
    if group is None:
        return os.getegid()
    try:
        return grp.getgrnam(group).gr_gid
    except KeyError:
        return None


def get_group_list(user: str, include_default: bool = True) -> list[str]:
    """Return the names of a user's groups, or [] if the user is unknown.

    Without `include_default`, the primary group is left out unless it lists the user as a member.
    """
    try:
        ids = os.getgrouplist(user, pwd.getpwnam(user).pw_gid)
    except KeyError:
        return []
    own = pwd.getpwnam(user).pw_gid
    return sorted(
        group.gr_name
        for group in grp.getgrall()
        if group.gr_gid in ids and (include_default or group.gr_gid != own or user in group.gr_mem)
    )


def chugid(runas: str, group: str | None = None) -> None:
    """Switch this process, a child about to run a program, to the groups and ids of a user."""
    wanted = identity(runas, group)
    os.setgroups(wanted.groups)
    os.setgid(wanted.gid)
    os.setuid(wanted.uid)


def chugid_and_umask(runas: str | None, umask: int | None, group: str | None = None) -> None:
    """Switch this process to another user (see `chugid`) if needed, and set the umask if given."""
    if runas is not None and (group or runas != get_user()):
        chugid(runas, group)
    if umask is not None:
        os.umask(umask)


def get_specific_user() -> str:
    """Return the user name recorded for jobs; for root through sudo it is `sudo_` and the invoking user."""
    user = get_user()
    if user == "root" and (behind := os.environ.get("SUDO_USER")):
        return f"sudo_{behind}"
    return user


def get_default_group(user: str) -> str:
    """Return the name of a user's primary group; raise KeyError for an unknown user."""
    return grp.getgrgid(pwd.getpwnam(user).pw_gid).gr_name


def get_group_dict(user: str | None = None, include_default: bool = True) -> dict[str, int]:
    """Return the groups of a user, {name: id}, or {} if the user is unknown."""
    names = get_group_list(user, include_default) if user else []
    return {name: grp.getgrnam(name).gr_gid for name in names}


def get_gid_list(user: str, include_default: bool = True) -> list[int]:
    """Return the ids of a user's groups, or [] if the user is unknown."""
    return list(get_group_dict(user, include_default).values())


__all__ = ["chugid", "chugid_and_umask", "get_default_group", "get_gid", "get_gid_list", "get_group_dict"]
__all__ += ["get_group_list", "get_specific_user", "get_uid", "get_user"]

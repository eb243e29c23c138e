"""Groups of this machine, managed with the programs of the shadow suite (`group`).

With `root`, functions work on another root directory.
"""

from __future__ import annotations

import grp
from typing import Any

from salt_g.api import grains, scratch
from salt_g.modules import _accounts

__virtualname__ = "group"


def __virtual__() -> Any:
    """Load only on Linux: the module needs the programs of the shadow suite."""
    if grains.get("kernel") == "Linux":
        return __virtualname__
    return False, "The groupadd execution module cannot be loaded: only available on Linux"


def add(
    name: str,
    gid: int | None = None,
    system: bool = False,
    root: str | None = None,
    non_unique: bool = False,
    local: bool = False,
) -> bool:
    """Add a group; return whether that succeeded.

    gid
        The group's number; the next free one by default.
    system
        Create a system group, with a low number.
    non_unique
        Allow a number that is already in use.
    local
        Use `lgroupadd`, which handles local groups only; `root` and `non_unique` are then ignored.

    Example::

        salt-g group.add staff 3456
    """
    options: list[Any] = ["-g", gid] if gid else []
    options += [flag for flag, wanted in (("-o", gid and non_unique and not local), ("-r", system)) if wanted]
    program = "lgroupadd" if local else "groupadd"
    return bool(_accounts.run_program(program, *options, name, root=None if local else root)["retcode"] == 0)


def delete(name: str, root: str | None = None, local: bool = False) -> bool:
    """Delete a group; return whether that succeeded. `local` uses `lgroupdel` and ignores `root`.

    Example::

        salt-g group.delete staff
    """
    program = "lgroupdel" if local else "groupdel"
    return bool(_accounts.run_program(program, name, root=None if local else root)["retcode"] == 0)


def info(name: str, root: str | None = None) -> dict[str, Any]:
    """Return name, passwd, gid and members of a group; {} if it does not exist.

    Example::

        salt-g group.info root
    """
    try:
        return _described(_accounts.group(name, root))
    except (KeyError, OSError):
        return {}


def getent(refresh: bool = False, root: str | None = None) -> list[dict[str, Any]]:
    """Return all groups as `group.info` does, from a cache unless `refresh` or `root` is given.

    Example::

        salt-g group.getent
    """
    if root is not None:
        return [_described(entry) for entry in _accounts.groups(root)]
    if refresh or "group.getent" not in scratch:
        scratch["group.getent"] = [_described(entry) for entry in _accounts.groups()]
    return list(scratch["group.getent"])


def chgid(name: str, gid: int, root: str | None = None, non_unique: bool = False) -> bool:
    """Change the number of a group; return whether the group now has this number.

    Example::

        salt-g group.chgid staff 4376
    """
    before = info(name, root)
    if not before:
        return False
    if before["gid"] == gid:
        return True
    _accounts.run_program("groupmod", *(["-o"] if non_unique else []), "-g", gid, name, root=root)
    return info(name, root).get("gid") == gid


def adduser(name: str, username: str, root: str | None = None) -> bool:
    """Add a user to a group; return whether that succeeded.

    Example::

        salt-g group.adduser staff frank
    """
    return _gpasswd("--add", username, name, root)


def deluser(name: str, username: str, root: str | None = None) -> bool:
    """Remove a user from a group; return whether the user is no longer a member.

    Example::

        salt-g group.deluser staff frank
    """
    if username not in info(name, root).get("members", ()):
        return True
    return _gpasswd("--del", username, name, root)


def members(name: str, members_list: str, root: str | None = None) -> bool:
    """Replace the members of a group; return whether that succeeded.

    members_list
        Comma-separated names of users.

    Example::

        salt-g group.members staff 'frank,joan'
    """
    return _gpasswd("--members", members_list, name, root)


def _gpasswd(action: str, users: str, name: str, root: str | None) -> bool:
    # gpasswd uses another name for the suite's option -R.
    inside = [] if root is None else ["--root", root]
    return bool(_accounts.run_program("gpasswd", action, users, name, *inside)["retcode"] == 0)


def _described(entry: grp.struct_group) -> dict[str, Any]:
    return {
        "name": entry.gr_name,
        "passwd": entry.gr_passwd,
        "gid": entry.gr_gid,
        "members": list(entry.gr_mem),
    }

"""Groups of the host."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from salt_g.resources.ssh import _accounts
from salt_g.shapes import Facts


def add(
    name: str, gid: int | None = None, system: bool = False, non_unique: bool = False, **kwargs: Any
) -> bool:
    """Add a group; return True, or raise CommandExecutionError.

    Example::

        salt-g web-01 group.add staff2 gid=3000
    """
    options = ["-g", gid] if gid is not None else []
    options += [flag for flag, wanted in (("-r", system), ("-o", non_unique)) if wanted]
    return _accounts.change("groupadd", *options, _accounts.checked(name))


def delete(name: str, **kwargs: Any) -> bool:
    """Delete a group; return True, or raise CommandExecutionError.

    Example::

        salt-g web-01 group.delete staff2
    """
    return _accounts.change("groupdel", _accounts.checked(name))


def info(name: str, root: str | None = None) -> Facts:
    """Return a group's attributes; {} if the group does not exist.

    Example::

        salt-g web-01 group.info root
    """
    return _accounts.group(name)


def getent(refresh: bool = False) -> list[dict[str, Any]]:
    """Return the attributes of all groups.

    Example::

        salt-g web-01 group.getent
    """
    return [_accounts.described_group(line) for line in _accounts.all_of("group")]


def chgid(name: str, gid: int, non_unique: bool = False, **kwargs: Any) -> bool:
    """Change a group's gid; return True, or raise CommandExecutionError.

    Example::

        salt-g web-01 group.chgid staff2 3001
    """
    return _accounts.change("groupmod", "-g", gid, *(["-o"] if non_unique else []), _accounts.checked(name))


def adduser(name: str, username: str, **kwargs: Any) -> bool:
    """Add a user to a group; return True, or raise CommandExecutionError.

    Example::

        salt-g web-01 group.adduser staff2 bob
    """
    return _accounts.change("gpasswd", "--add", _accounts.checked(username), _accounts.checked(name))


def deluser(name: str, username: str, **kwargs: Any) -> bool:
    """Remove a user from a group; return True, or raise CommandExecutionError.

    Example::

        salt-g web-01 group.deluser staff2 bob
    """
    if username not in info(name).get("members", ()):
        return True
    return _accounts.change("gpasswd", "--delete", _accounts.checked(username), _accounts.checked(name))


def members(name: str, members_list: str | Sequence[str], **kwargs: Any) -> bool:
    """Replace the members of a group by those in a comma-separated text or a list.

    Example::

        salt-g web-01 group.members staff2 'bob,alice'
    """
    wanted = members_list.split(",") if isinstance(members_list, str) else list(members_list)
    names = ",".join(_accounts.checked(one) for one in wanted if one)
    return _accounts.change("gpasswd", "--members", names, _accounts.checked(name))

"""Users of the host, managed with the programs of the shadow suite."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from salt_g.errors import CommandExecutionError
from salt_g.resources.ssh import _accounts
from salt_g.shapes import GECOS, Facts

#: Exit code 12 of userdel means that there was no mail spool; the user is deleted.
_DELETE = 'userdel "$@"; code=$?; [ $code = 12 ] && code=0; exit $code'


def add(
    name: str, uid: int | str | None = None, gid: int | str | None = None,
    groups: Sequence[str] | str | None = None, home: str | None = None, shell: str | None = None,
    unique: bool = True, system: bool = False, fullname: str = "", roomnumber: str = "",
    workphone: str = "", homephone: str = "", other: str = "", createhome: bool = True,
    loginclass: str | None = None, nologinit: bool = False, usergroup: bool | None = None,
    **kwargs: Any,
) -> bool:  # fmt: skip
    """Add a user; return True or raise an error. The arguments are those of a minion's `user.add`.

    Example::

        salt-g web-01 user.add frank shell=/bin/bash groups='[adm]'
    """
    options: list[Any] = ["-s", shell] if shell else []
    options += ["-u", uid] if uid not in (None, "") else []
    options += ["-g", gid] if gid not in (None, "") else []
    options += {None: [], True: ["-U"], False: ["-N"]}[usergroup] if gid in (None, "") else []
    options += ["-m"] if createhome else ["-M"]
    options += ["-d", home] if home else []
    options += ["-G", ",".join(_names(groups))] if groups else []
    options += [flag for flag, wanted in (("-l", nologinit), ("-o", not unique), ("-r", system)) if wanted]
    parts = (fullname, roomnumber, workphone, homephone, other)
    comment = ",".join(str(part or "") for part in parts).rstrip(",")
    options += ["-c", comment] if comment else []
    return _accounts.change("useradd", *options, _accounts.checked(name))


def delete(name: str, remove: bool = False, force: bool = False, **kwargs: Any) -> bool:
    """Delete a user; `remove` also removes the home directory, `force` deletes logged-in users.

    Example::

        salt-g web-01 user.delete frank remove=True
    """
    options = [flag for flag, wanted in (("-r", remove), ("-f", force)) if wanted]
    return _accounts.change("/bin/sh", "-c", _DELETE, "sh", *options, _accounts.checked(name))


def info(name: str, root: str | None = None) -> Facts:
    """Return a user's attributes; {} if the user does not exist.

    Example::

        salt-g web-01 user.info root
    """
    return _accounts.user(name)


def list_users() -> list[str]:
    """Return the names of all users, sorted.

    Example::

        salt-g web-01 user.list_users
    """
    return sorted(line.partition(":")[0] for line in _accounts.all_of("passwd"))


def list_groups(name: str) -> list[str]:
    """Return the groups of a user, sorted.

    Example::

        salt-g web-01 user.list_groups root
    """
    groups: list[str] = info(name).get("groups", [])
    return groups


def primary_group(name: str) -> str:
    """Return the name of a user's primary group, or '' if the user does not exist.

    Example::

        salt-g web-01 user.primary_group root
    """
    gid = info(name).get("gid")
    groups = map(_accounts.described_group, _accounts.all_of("group"))
    return next((str(group["name"]) for group in groups if group["gid"] == gid), "")


def chuid(name: str, uid: int) -> bool:
    """Change a user's uid.

    Example::

        salt-g web-01 user.chuid frank 4376
    """
    return _modified(name, "-u", uid)


def chgid(name: str, gid: int | str) -> bool:
    """Change a user's primary group.

    Example::

        salt-g web-01 user.chgid frank users
    """
    return _modified(name, "-g", gid)


def chshell(name: str, shell: str) -> bool:
    """Change a user's login shell.

    Example::

        salt-g web-01 user.chshell frank /bin/sh
    """
    return _modified(name, "-s", shell)


def chhome(name: str, home: str, persist: bool = False) -> bool:
    """Change a user's home directory; `persist` moves the files.

    Example::

        salt-g web-01 user.chhome frank /srv/frank persist=True
    """
    return _modified(name, "-d", home, *(["-m"] if persist else []))


def chgroups(name: str, groups: Sequence[str] | str, append: bool = False) -> bool:
    """Set the supplementary groups of a user, or with `append` add to them.

    Example::

        salt-g web-01 user.chgroups frank 'adm,users' append=True
    """
    return _modified(name, *(["-a"] if append else []), "-G", ",".join(_names(groups)))


def chfullname(name: str, fullname: str | None) -> bool:
    """Set the full name of a user.

    Example::

        salt-g web-01 user.chfullname frank 'Frank N.'
    """
    return _with_comment(name, fullname=fullname)


def chroomnumber(name: str, roomnumber: str | None) -> bool:
    """Set the room number of a user.

    Example::

        salt-g web-01 user.chroomnumber frank 123
    """
    return _with_comment(name, roomnumber=roomnumber)


def chworkphone(name: str, workphone: str | None) -> bool:
    """Set the work phone number of a user.

    Example::

        salt-g web-01 user.chworkphone frank 555-0123
    """
    return _with_comment(name, workphone=workphone)


def chhomephone(name: str, homephone: str | None) -> bool:
    """Set the home phone number of a user.

    Example::

        salt-g web-01 user.chhomephone frank 555-0123
    """
    return _with_comment(name, homephone=homephone)


def chother(name: str, other: str | None) -> bool:
    """Set the field `other` of a user's comment.

    Example::

        salt-g web-01 user.chother frank text
    """
    return _with_comment(name, other=other)


def rename(name: str, new_name: str) -> bool:
    """Rename a user.

    Example::

        salt-g web-01 user.rename frank francis
    """
    return _modified(name, "-l", _accounts.checked(new_name))


def _modified(name: str, *options: Any) -> bool:
    return _accounts.change("usermod", *options, _accounts.checked(name))


def _with_comment(name: str, **parts: str | None) -> bool:
    before = info(name)
    if not before:
        raise CommandExecutionError(f"User '{name}' does not exist")
    wanted = {**before, **{part: "" if value is None else str(value) for part, value in parts.items()}}
    return _modified(name, "-c", ",".join(wanted[part] for part in GECOS).rstrip(","))


def _names(groups: Sequence[str] | str | None) -> list[str]:
    given = groups.split(",") if isinstance(groups, str) else list(groups or ())
    return [_accounts.checked(group) for group in given if group]

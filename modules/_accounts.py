"""Users, groups and lines of the account files, of this machine or of another root directory.

Users and groups come from the files below `root` or, for this machine, from the name services (LDAP
included).

Shapes: `pwd.struct_passwd` and `grp.struct_group`, as Python's own modules give them.
Errors: KeyError if there is no such entry.
"""

from __future__ import annotations

import grp
import os
import pwd
from collections.abc import Iterator
from typing import Any

from salt_g.api import call, scratch
from salt_g.errors import CommandExecutionError
from salt_g.process import command


def users(root: str | None = None) -> list[pwd.struct_passwd]:
    """Return all users."""
    if root is None:
        return pwd.getpwall()
    return [_user(fields) for fields in lines_of("passwd", root) if len(fields) == 7]


def user(name: str, root: str | None = None) -> pwd.struct_passwd:
    """Return one user."""
    if root is None:
        return pwd.getpwnam(str(name))
    return next(_user(fields) for fields in _named("passwd", name, root) if len(fields) == 7)


def groups(root: str | None = None) -> list[grp.struct_group]:
    """Return all groups."""
    if root is None:
        return grp.getgrall()
    return [_group(fields) for fields in lines_of("group", root) if len(fields) == 4]


def group(name: str, root: str | None = None) -> grp.struct_group:
    """Return one group."""
    if root is None:
        return grp.getgrnam(str(name))
    return next(_group(fields) for fields in _named("group", name, root) if len(fields) == 4)


def group_names(name: str, root: str | None = None) -> list[str]:
    """Return the sorted names of a user's groups, the primary one included; [] if there is no such user."""
    try:
        primary = user(name, root).pw_gid
    except KeyError:
        return []
    if root is not None:
        mine = (entry for entry in groups(root) if entry.gr_gid == primary or name in entry.gr_mem)
        return sorted({entry.gr_name for entry in mine})
    gids = {primary, *os.getgrouplist(name, primary)}
    # Two names may share a number, and some name services do not list all of their groups.
    listed = (entry for entry in groups() if entry.gr_gid in gids)
    asked = (entry for entry in map(_known_group, gids) if entry)
    return sorted({entry.gr_name for entry in (*listed, *asked)})


def _known_group(gid: int) -> grp.struct_group | None:
    try:
        return grp.getgrgid(gid)
    except KeyError:
        return None


def lines_of(database: str, root: str | None = None) -> Iterator[list[str]]:
    """Yield the fields of each line of a file in /etc below `root`: `passwd`, `group` or `shadow`."""
    path = os.path.join(root or "/", "etc", database)
    with open(path, encoding="utf-8", errors="surrogateescape") as file:
        for line in file:
            if line.strip():
                yield line.rstrip("\n").split(":")


def run_program(program: str, *words: Any, root: str | None = None, **options: Any) -> dict[str, Any]:
    """Run a program of the shadow suite, inside `root` if given; return `Completed`.

    Clears the cached list of users and groups.

    Raises CommandExecutionError when the program is not installed.
    """
    path = command.which(program)
    if path is None:
        raise CommandExecutionError(f"Command '{program}' cannot be found")
    for remembered in ("user.getent", "group.getent"):
        scratch.pop(remembered, None)
    inside = [] if root is None else ["-R", root]
    return dict(call("cmd.run_all", [path, *inside, *map(str, words)], python_shell=False, **options))


def _named(database: str, name: str, root: str | None) -> Iterator[list[str]]:
    yield from (fields for fields in lines_of(database, root) if fields[0] == str(name))
    raise KeyError(f"{name!r} is not in {os.path.join(root or '/', 'etc', database)}")


def _user(fields: list[str]) -> pwd.struct_passwd:
    return pwd.struct_passwd((*fields[:2], int(fields[2]), int(fields[3]), *fields[4:]))


def _group(fields: list[str]) -> grp.struct_group:
    members = [member for member in fields[3].split(",") if member]
    return grp.struct_group((*fields[:2], int(fields[2]), members))

"""Users and groups of another root, read from its files, because their ids can differ from the host's.

Source: passwd(5), group(5).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from salt_g.errors import CommandExecutionError
from salt_g.resources.container_ns.inner_paths import within


class Account(NamedTuple):
    """User and group that a program inside a root runs as."""

    uid: int
    gid: int
    name: str
    home: str


def account(root: str, user: str | None, group: str | None) -> Account:
    """Return a user of a root (None: its root user); `group`, if given, replaces the primary group."""
    found = _user(root, str(user)) if user is not None else Account(0, 0, "root", "/root")
    return found if group is None else found._replace(gid=gid_of(root, group))


def uid_of(root: str, user: str | int) -> int:
    """Return the uid of a user; a number is returned unchanged."""
    return _user(root, str(user)).uid


def gid_of(root: str, group: str | int) -> int:
    """Return the gid of a group; a number is returned unchanged."""
    text = str(group)
    for fields in _records(root, "/etc/group", 3):
        if fields[0] == text:
            return int(fields[2])
    if text.isdigit():
        return int(text)
    raise CommandExecutionError(f"Group '{group}' is not available")


def _user(root: str, user: str) -> Account:
    for fields in _records(root, "/etc/passwd", 6):
        if user in (fields[0], fields[2]):
            return Account(int(fields[2]), int(fields[3]), fields[0], fields[5])
    if user.isdigit():
        return Account(int(user), int(user), user, "/")
    raise CommandExecutionError(f"User '{user}' is not available")


def _records(root: str, path: str, number: int) -> Iterator[list[str]]:
    try:
        with open(within(root, path), encoding="utf-8", errors="replace") as file:
            lines = file.read().splitlines()
    except OSError:
        return
    for line in lines:
        fields = line.split(":")
        if len(fields) >= number and fields[2].isdigit():
            yield fields

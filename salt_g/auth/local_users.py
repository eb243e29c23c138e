"""Which user of this machine speaks, and what `publisher_acl` lets that user do.

Why its own file: the key that is sent, or what the kernel says of a socket's peer, decides the
user; a name in the load has to belong to it.
Shapes: rights are a list of permissions, None for everything.
Source: wire specification, section 10.1; security property 11.
"""

from __future__ import annotations

import logging
import os
import pwd
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from salt_g.keys.policy import matches
from salt_g.process.offload import offload_in_daemon

log = logging.getLogger(__name__)

#: How stock names somebody who became the master's user by sudo.
SUDO = "sudo_"
#: What makes a name in `publisher_acl` a pattern.
_PATTERN_SIGNS = frozenset("*?[]^$|+\\()")


class Rights(NamedTuple):
    """Who speaks, and the permissions of that user; None allows everything."""

    user: str
    permissions: list[Any] | None = None


class LocalUsers:
    """The rules for users of this machine."""

    def __init__(self, opts: Mapping[str, Any], owner: str) -> None:
        """`owner` is the user that the master runs as."""
        self._owner = owner
        self._acl: Mapping[str, Any] = opts["publisher_acl"]
        self._sudo_acl = bool(opts["sudo_acl"])

    def rights(self, proven: str, claimed: object) -> Rights | None:
        """Return the rights of a user whose name is proven and who claims a name, None when they do not fit.

        Root and the master's own user may do everything, and may name somebody else to be recorded;
        with `sudo_acl`, who became them by sudo keeps the rights that `publisher_acl` gives.
        """
        name = claimed if isinstance(claimed, str) and claimed else proven
        if proven not in ("root", self._owner):
            granted = self._granted(proven)
            return Rights(proven, granted) if name == proven and granted else None
        if name.startswith(SUDO) and self._sudo_acl and self._acl:
            granted = self._granted(name[len(SUDO) :])
            return Rights(name, granted) if granted else None
        return Rights(name)

    def _granted(self, user: str) -> list[Any]:
        """Return what `publisher_acl` gives a user: all entries whose glob or regular expression fits."""
        granted: list[Any] = []
        for pattern, permissions in self._acl.items():
            if matches(user, str(pattern)):
                granted += permissions if isinstance(permissions, list) else [permissions]
        return granted


def blacklisted(blacklist: Mapping[str, Any], users: Iterable[str], functions: Iterable[str]) -> str:
    """Return which user or function `publisher_acl_blacklist` forbids, '' when none."""
    for kind, names in (("users", users), ("modules", functions)):
        patterns = blacklist.get(kind) or []
        for name in names:
            if any(matches(name, str(pattern)) for pattern in patterns):
                return name
    return ""


def acl_users(acl: Mapping[str, Any], *, verify: bool) -> list[str]:
    """Return the users of this machine that `publisher_acl` means, for whom keys are made.

    `verify` (the setting `client_acl_verify`) lets patterns mean users; without it only plain names do.
    """
    plain = [str(name) for name in acl if not _PATTERN_SIGNS.intersection(str(name))]
    patterns = [str(name) for name in acl if _PATTERN_SIGNS.intersection(str(name))] if verify else []
    if not patterns:
        return plain
    everybody = [entry.pw_name for entry in pwd.getpwall()]
    return plain + [
        user for user in everybody if user not in plain and any(matches(user, p) for p in patterns)
    ]


def name_of(uid: int) -> str:
    """Return the name of a user id, its number when it has none; raises OSError when nobody can look."""
    # Users may be in a directory far away, which the C library asks without letting others run.
    return offload_in_daemon(_name_of, uid)


def _name_of(uid: int) -> str:
    try:
        return pwd.getpwuid(uid).pw_name
    except KeyError:
        # The C library says the same when it has no descriptor to look with; a ban goes by the name.
        os.close(os.open(os.devnull, os.O_RDONLY | os.O_CLOEXEC))
        return str(uid)


def uid_of(name: str) -> int | None:
    """Return the id of a user of this machine, None when there is none of this name."""
    return offload_in_daemon(_uid_of, name)


def _uid_of(name: str) -> int | None:
    try:
        return pwd.getpwnam(name).pw_uid
    except KeyError:
        return None

"""Local users and their rights by `publisher_acl`.

The user is determined by the key in a request or by the kernel's credentials of a socket's peer; a user name
in the load must match.
Shapes: rights are a list of permissions, None for everything.
Source: wire specification, section 10.1; security property 11.
"""

from __future__ import annotations

import logging
import os
import pwd
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from salt_g.process.offload import offload_in_daemon
from salt_g.regex.name_patterns import matches_name

log = logging.getLogger(__name__)

#: Prefix that stock uses for a user who became the master's user by sudo.
SUDO = "sudo_"
#: Characters that make a name in `publisher_acl` a pattern.
_PATTERN_SIGNS = frozenset("*?[]^$|+\\()")


class Rights(NamedTuple):
    """User and the user's permissions; None allows everything."""

    user: str
    permissions: list[Any] | None = None
    #: Permissions of a token, which limit those of its user.
    limits: list[Any] | None = None
    #: Origin of the rights: the local user (`proven`), or the module, the groups and the name of the token of
    #: a login.
    proven: str = ""
    module: str = ""
    groups: Sequence[str] = ()
    label: str = ""

    @property
    def grants(self) -> list[list[Any]]:
        """Lists of permissions, each of which must allow a call."""
        return [one for one in (self.permissions, self.limits) if one is not None]


class LocalUsers:
    """Source of the rights of local users, from the settings."""

    def __init__(self, acl: Mapping[str, Any], owner: str, *, sudo_acl: bool) -> None:
        """Initialize; `acl` is `publisher_acl`, `owner` the user that the master runs as."""
        self._owner = owner
        self._acl = acl
        self._sudo_acl = sudo_acl

    def rights(self, proven: str, claimed: object) -> Rights | None:
        """Return the rights of a user, or None if the user has none or claims a name other than `proven`.

        Root and the master's own user may do everything, and may claim any name for the record; with
        `sudo_acl`, a user who became one of them with sudo keeps the rights that `publisher_acl` grants.
        """
        name = claimed if isinstance(claimed, str) and claimed else proven
        if proven not in ("root", self._owner):
            granted = self._granted(proven)
            return Rights(proven, granted, proven=proven) if name == proven and granted else None
        if name.startswith(SUDO) and self._sudo_acl and self._acl:
            granted = self._granted(name[len(SUDO) :])
            return Rights(name, granted, proven=proven) if granted else None
        return Rights(name, proven=proven)

    def _granted(self, user: str) -> list[Any]:
        """Return the permissions of all entries in `publisher_acl` that match a user."""
        granted: list[Any] = []
        for pattern, permissions in self._acl.items():
            if matches_name(user, str(pattern)):
                granted += permissions if isinstance(permissions, list) else [permissions]
        return granted


def blacklisted(blacklist: Mapping[str, Any], users: Iterable[str], functions: Iterable[str]) -> str:
    """Return the first user or function that `publisher_acl_blacklist` forbids, or '' if there is none."""
    for kind, names in (("users", users), ("modules", functions)):
        patterns = blacklist.get(kind) or []
        for name in names:
            if any(matches_name(name, str(pattern)) for pattern in patterns):
                return name
    return ""


def acl_users(acl: Mapping[str, Any], *, verify: bool) -> list[str]:
    """Return the local users in `publisher_acl`, for whom keys are created.

    Patterns are only expanded to matching users with `verify` (the setting `client_acl_verify`).
    """
    plain = [str(name) for name in acl if not _PATTERN_SIGNS.intersection(str(name))]
    patterns = [str(name) for name in acl if _PATTERN_SIGNS.intersection(str(name))] if verify else []
    if not patterns:
        return plain
    everybody = [entry.pw_name for entry in pwd.getpwall()]
    return plain + [
        user for user in everybody if user not in plain and any(matches_name(user, p) for p in patterns)
    ]


def name_of(uid: int) -> str:
    """Return the name of a user id, or its number if it has no name; raise OSError if the look-up fails."""
    # Users may be in a remote directory, which the C library queries without yielding.
    return offload_in_daemon(_name_of, uid)


def _name_of(uid: int) -> str:
    try:
        return pwd.getpwuid(uid).pw_name
    except KeyError:
        # The C library also reports an unknown id if no descriptor is free for the look-up, so make sure that
        # one is: a ban depends on the name.
        os.close(os.open(os.devnull, os.O_RDONLY | os.O_CLOEXEC))
        return str(uid)


def uid_of(name: str) -> int | None:
    """Return the id of a local user, or None for an unknown name."""
    return offload_in_daemon(_uid_of, name)


def _uid_of(name: str) -> int | None:
    try:
        return pwd.getpwnam(name).pw_uid
    except KeyError:
        return None

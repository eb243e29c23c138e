"""The secrets by which users of this host are known: `cachedir/.<user>_key`.

Why its own file: stock's command line reads them and sends them with each command.
Shapes: a key is 76 characters of text, in a file that only its user can read.
Source: wire specification, section 10.1.
"""

from __future__ import annotations

import hmac
import logging
import os
import pwd
from collections.abc import Iterable

from salt_g import disk, safe_files
from salt_g.wire.aes import new_key_text

log = logging.getLogger(__name__)

#: Names in `publisher_acl` that are patterns and no users.
_PATTERN_SIGNS = frozenset("*?[]^$|+\\")
#: Longest key file that is read (bytes).
MAX_KEY = 1024


class LocalKeys:
    """The keys of local users, made where they are missing and kept where they are."""

    def __init__(self, cachedir: str, owner: str, users: Iterable[str] = ()) -> None:
        """`owner` is the user that the master runs as, `users` those of `publisher_acl`."""
        self._cachedir = cachedir
        self.owner = owner
        self._users = [owner, *(user for user in users if user != owner and _is_user(user))]
        self._keys: dict[str, bytes] = {}

    def make(self) -> None:
        """Read the keys and make those that are missing; raises OSError of the disk."""
        disk.make_private_directory(self._cachedir)
        for user in self._users:
            self._keys[user] = self._read(user) or self._new(user)

    def user_of(self, key: object) -> str | None:
        """Return whose key this is, None when it is nobody's; takes the same time for each."""
        if not isinstance(key, (str, bytes)):
            return None
        offered = key.encode("utf-8", "surrogateescape") if isinstance(key, str) else key
        owners = [user for user, kept in self._keys.items() if hmac.compare_digest(kept, offered)]
        return owners[0] if owners else None

    def _path(self, user: str) -> str:
        # A user of a domain is DOMAIN\name, which is no file name.
        return os.path.join(self._cachedir, f".{user.replace(os.sep, '_')}_key")

    def _read(self, user: str) -> bytes:
        try:
            descriptor = os.open(self._path(user), os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC)
        except OSError:
            return b""
        with os.fdopen(descriptor, "rb") as file:
            return file.read(MAX_KEY).strip()

    def _new(self, user: str) -> bytes:
        key = new_key_text()
        path = self._path(user)
        disk.write_whole(path, key)
        if user != self.owner:
            found = pwd.getpwnam(user)
            safe_files.change_owner(path, found.pw_uid, found.pw_gid, follow=False)
        return key


def _is_user(name: str) -> bool:
    if _PATTERN_SIGNS.intersection(name):
        return False
    try:
        pwd.getpwnam(name)
    except KeyError:
        log.error("publisher_acl: there is no user %r on this machine", name)
        return False
    return True

"""Keys that authenticate local users: `cachedir/.<user>_key`.

Stock's command line reads them and sends them with each command.
Shapes: a key is 76 characters of text, in a file that only its user can read.
Source: wire specification, section 10.1.
"""

from __future__ import annotations

import contextlib
import errno
import hmac
import logging
import os
import pwd
import tempfile
from collections.abc import Iterable

from salt_g.process import disk
from salt_g.wire.aes import new_key_text

log = logging.getLogger(__name__)

#: Characters that mark a name in `publisher_acl` as a pattern.
_PATTERN_SIGNS = frozenset("*?[]^$|+\\")
#: Largest accepted key file (bytes).
MAX_KEY = 1024


class UserKeys:
    """Keys of local users; missing ones are created, existing ones kept."""

    def __init__(self, cachedir: str, owner: str, users: Iterable[str] = ()) -> None:
        """Initialize; `owner` is the master's user, `users` are the names in `publisher_acl`."""
        self._cachedir = cachedir
        self.owner = owner
        self._users = [owner, *(user for user in users if user != owner and _is_user(user))]
        self._keys: dict[str, bytes] = {}

    def make(self) -> None:
        """Read the keys and create missing ones; raises OSError."""
        disk.make_private_directory(self._cachedir)
        for user in self._users:
            key = self._read(user) or self._new(user)
            if key:
                self._keys[user] = key

    def give(self) -> None:
        """Create keys of other users while this process is root and before the master becomes `owner`.

        The master cannot read files of other users, so it keeps its own copy of each.
        """
        for user in self._users:
            if user != self.owner:
                key = new_key_text()
                _write_for(self.owner, self._copy(user), key)
                _write_for(user, self._path(user), key)

    def user_of(self, key: object) -> str | None:
        """Return the user of this key, or None if unknown; takes constant time over all keys."""
        if not isinstance(key, (str, bytes)):
            return None
        offered = key.encode("utf-8", "surrogateescape") if isinstance(key, str) else key
        owners = [user for user, kept in self._keys.items() if hmac.compare_digest(kept, offered)]
        return owners[0] if owners else None

    def _path(self, user: str) -> str:
        # A slash in a user name must not act as a path separator.
        return os.path.join(self._cachedir, f".{user.replace(os.sep, '_')}_key")

    def _copy(self, user: str) -> str:
        return f"{self._path(user)}.master"

    def _read(self, user: str) -> bytes:
        if user == self.owner or os.geteuid() == 0:
            return _read(self._path(user))
        try:
            return _read(self._copy(user)) or _read(self._path(user))
        except PermissionError:
            return b""

    def _new(self, user: str) -> bytes:
        key = new_key_text()
        try:
            _write_for(user, self._path(user), key)
        except PermissionError:
            log.error("publisher_acl: only a master that root starts can give %r a key file", user)
            return b""
        return key


def _read(path: str) -> bytes:
    """Return the key in a file, b'' without one; raise OSError if the file cannot be read."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC)
    except FileNotFoundError:
        return b""
    except OSError as exc:
        # A link is replaced by a new key; any other file may be a key in use.
        if exc.errno != errno.ELOOP:
            raise
        return b""
    with os.fdopen(descriptor, "rb") as file:
        return file.read(MAX_KEY).strip()


def _write_for(user: str, path: str, key: bytes) -> None:
    """Write a key file, which gets its owner before its final name; raises OSError."""
    found = pwd.getpwnam(user)
    descriptor, temporary = tempfile.mkstemp(prefix=".salt-g-", dir=os.path.dirname(path))
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(key)
            if found.pw_uid != os.geteuid():
                os.fchown(file.fileno(), found.pw_uid, found.pw_gid)
        os.replace(temporary, path)
    except BaseException:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(temporary)
        raise


def _is_user(name: str) -> bool:
    if _PATTERN_SIGNS.intersection(name):
        return False
    try:
        pwd.getpwnam(name)
    except KeyError:
        log.error("publisher_acl: there is no user %r on this machine", name)
        return False
    return True

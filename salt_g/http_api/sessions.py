"""Sessions of the HTTP API on disk, so that a restart logs nobody out.

A file is named by the digest of its session token. It holds the user's token of the master, encrypted with
the session token, so that the files reveal neither token.
Shapes: a session token has 40 hexadecimal digits, a token of the master has 64.
Units: seconds since the epoch.
Errors: OSError if the disk fails.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import logging
import os
import re
import secrets
import time
from collections.abc import Callable
from typing import Any, NamedTuple

from salt_g.process import disk

log = logging.getLogger(__name__)

_BYTES = 20
_TOKEN = re.compile(r"[0-9a-f]{40}", re.A)
_MASTERS_TOKEN = re.compile(r"[0-9a-f]{64}", re.A)
_FILE = re.compile(r"[0-9a-f]{64}", re.A)
#: Maximum number of sessions in total and per user; a new session replaces the oldest one.
MOST, OF_ONE_USER = 20_000, 100


class LoginSession(NamedTuple):
    """Login of a user; `token` is the token of the master, `digest` identifies the session.

    With `is_token` the client sent the token of the master itself, which may be limited to a part of the
    user's rights.
    """

    digest: str
    token: str
    user: str
    eauth: str
    start: float
    expire: float
    is_token: bool = False


class LoginSessions:
    """Sessions in one directory; `on_end` is called with the digest of each session that ends."""

    def __init__(
        self,
        directory: str,
        *,
        clock: Callable[[], float] = time.time,
        on_end: Callable[[str], None] = lambda digest: None,
    ) -> None:
        self._directory = directory
        self._clock = clock
        self._on_end = on_end
        #: {digest: (user, end)}, the oldest first.
        self._known: dict[str, tuple[str, float]] = {}

    def start(self) -> None:
        """Load the existing sessions and remove expired ones."""
        disk.make_private_directory(self._directory)
        read = [
            (digest, self._read(digest)) for digest in os.listdir(self._directory) if _FILE.fullmatch(digest)
        ]
        for digest, data in sorted(read, key=lambda pair: pair[1].get("start", 0)):
            if data and data["expire"] >= self._clock():
                self._known[digest] = (data["user"], data["expire"])
            else:
                self._remove(digest)

    def __len__(self) -> int:
        return len(self._known)

    def make(self, content: dict[str, Any]) -> tuple[str, LoginSession]:
        """Create a session for a token of the master; return (session token, session)."""
        session_token = secrets.token_hex(_BYTES)
        digest = _digest(session_token)
        fields: dict[str, Any] = {
            "user": str(content["name"]),
            "eauth": str(content["eauth"]),
            "start": float(content["start"]),
            "expire": float(content["expire"]),
        }
        for old in self._surplus(fields["user"]):
            self.end(old)
        sealed = _sealed(str(content["token"]), session_token)
        disk.write_whole(self._path(digest), json.dumps({**fields, "sealed": sealed}))
        self._known[digest] = (fields["user"], fields["expire"])
        return session_token, LoginSession(digest, str(content["token"]), **fields)

    def get(self, session_token: str) -> LoginSession | None:
        """Return the session of a session token, None if it is unknown or expired."""
        if not _TOKEN.fullmatch(session_token):
            return None
        digest = _digest(session_token)
        if digest not in self._known:
            return None
        if self._known[digest][1] < self._clock():
            self.end(digest)
            return None
        data = self._read(digest)
        if not data:
            return None
        token = _sealed(str(data.get("sealed", "")), session_token)
        return LoginSession(digest, token, data["user"], data["eauth"], data["start"], data["expire"])

    def end(self, digest: str) -> None:
        """End a session."""
        self._known.pop(digest, None)
        self._remove(digest)
        self._on_end(digest)

    def clean(self) -> int:
        """End expired sessions; return their number."""
        now = self._clock()
        over = [digest for digest, (_, end) in self._known.items() if end < now]
        for digest in over:
            self.end(digest)
        return len(over)

    def _surplus(self, user: str) -> list[str]:
        """Return the digests of the sessions that must end before a user gets a new one."""
        own = [digest for digest, (name, _) in self._known.items() if name == user]
        if len(own) >= OF_ONE_USER:
            return own[: len(own) + 1 - OF_ONE_USER]
        return [next(iter(self._known))] if len(self._known) >= MOST else []

    def _path(self, digest: str) -> str:
        return os.path.join(self._directory, digest)

    def _remove(self, digest: str) -> None:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(self._path(digest))

    def _read(self, digest: str) -> dict[str, Any]:
        try:
            descriptor = os.open(self._path(digest), os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC)
            with os.fdopen(descriptor, encoding="utf-8") as file:
                data = json.load(file)
        except FileNotFoundError:
            return {}
        except ValueError:
            log.warning("cannot read a session of the HTTP API, which is therefore ignored: %s", digest)
            return {}
        return data if isinstance(data, dict) and "expire" in data else {}


def is_masters_token(text: object) -> bool:
    """Return whether a text has the form of a master's token."""
    return isinstance(text, str) and _MASTERS_TOKEN.fullmatch(text) is not None


def _digest(session_token: str) -> str:
    return hashlib.sha256(session_token.encode("ascii")).hexdigest()


def _sealed(text: str, session_token: str) -> str:
    """Encrypt a token of the master with a session token, or decrypt it (XOR with a one-time pad)."""
    pad = hashlib.sha256(b"salt-g api session\0" + session_token.encode("ascii")).digest()
    try:
        return bytes(a ^ b for a, b in zip(bytes.fromhex(text), pad, strict=True)).hex()
    except ValueError:
        return ""

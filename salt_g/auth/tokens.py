"""Tokens: a login that lasts.

Why its own file: who has the file system must not have the tokens, so only their digests are kept.
Shapes: what a token stands for is {token, start, expire, name, eauth, groups?, auth_list?}.
Units: seconds since the epoch.
Errors: OSError of the disk.
Source: wire specification, section 10.4; security property 11.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import json
import logging
import os
import re
import secrets
import time
from collections.abc import Callable, Iterator
from typing import Any

from salt_g.auth.token_index import TokenIndex
from salt_g.process import disk
from salt_g.process.offload import breathe

log = logging.getLogger(__name__)

#: Random bytes of a token.
_BYTES = 32
_TOKEN = re.compile(r"[0-9a-f]{64}", re.A)
#: Most tokens that one user has; the oldest goes for a new one.
OF_ONE_USER = 100
#: Most tokens that are kept; then the oldest of all goes for a new one.
_MOST = 100_000
#: Tokens that are read before others have their turn: some 5 ms.
_SLICE = 50
#: How far a clock may have been set back since a token was made (s). Set back further, it would make
#: tokens last longer than they were given for, so they end and their owners log in again.
_TOLERANCE = 300


class Tokens:
    """The tokens in one directory, each in a file named by its digest."""

    def __init__(self, directory: str, *, clock: Callable[[], float] = time.time) -> None:
        self._directory = directory
        self._clock = clock
        self._index: TokenIndex | None = None

    def make(self, lifetime: float, about: dict[str, Any]) -> dict[str, Any]:
        """Make a token that stands for `about` for so many seconds; return what it stands for, and itself.

        A user who has many already loses those that are too old, then the oldest.
        """
        disk.make_private_directory(self._directory)
        token = secrets.token_hex(_BYTES)
        now = self._clock()
        data = {"start": now, "expire": now + lifetime, **about}
        index = self._known()
        for path in index.surplus(data, now):
            log.info("%s has too many tokens: the oldest has ended", data.get("name"))
            _remove(path)
        path = self._path(token)
        disk.write_whole(path, json.dumps(data))
        index.add(path, data)
        return {"token": token, **data}

    def _known(self) -> TokenIndex:
        """Return whose the tokens on the disk are; those of an earlier run are read once."""
        if self._index is None:
            index = TokenIndex(OF_ONE_USER, _MOST)
            for number, path in enumerate(self._paths(), 1):
                index.add(path, self._read(path))
                if number % _SLICE == 0:
                    breathe()
            self._index = self._index or index
        return self._index

    def get(self, token: object) -> dict[str, Any]:
        """Return what a token stands for, {} when it does not exist, is too old or not of this time."""
        if not isinstance(token, str) or not _TOKEN.fullmatch(token):
            return {}
        path = self._path(token)
        data = self._read(path)
        if not data:
            return {}
        now = self._clock()
        if data["expire"] < now:
            self._end(path)
            return {}
        if data["start"] > now + _TOLERANCE:
            log.warning("a token of %s was made in the future and counts as none", data.get("name"))
            return {}
        return {"token": token, **data}

    def remove(self, token: object) -> bool:
        """End a token; return whether there was one."""
        is_token = isinstance(token, str) and _TOKEN.fullmatch(token) is not None
        return is_token and self._end(self._path(str(token)))

    def clean(self) -> int:
        """Remove what is too old or cannot be read, and let others run; return how many tokens went."""
        now, removed = self._clock(), 0
        for number, path in enumerate(self._paths(), 1):
            # One that the system cannot open now may be good.
            with contextlib.suppress(OSError):
                if self._read(path).get("expire", 0) < now:
                    removed += self._end(path)
            if number % _SLICE == 0:
                breathe()
        return removed

    def _end(self, path: str) -> bool:
        if self._index is not None:
            self._index.discard(path)
        return _remove(path)

    def _path(self, token: str) -> str:
        # The name is a digest, so looking for a token tells nothing by its time.
        return os.path.join(self._directory, hashlib.sha256(token.encode("ascii")).hexdigest())

    def _paths(self) -> Iterator[str]:
        try:
            names = os.listdir(self._directory)
        except FileNotFoundError:
            return
        for name in names:
            if _TOKEN.fullmatch(name):
                yield os.path.join(self._directory, name)

    def _read(self, path: str) -> dict[str, Any]:
        try:
            descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC)
            with os.fdopen(descriptor, encoding="utf-8") as file:
                data = json.load(file)
        except FileNotFoundError:
            return {}
        except (OSError, ValueError) as exc:
            if isinstance(exc, OSError) and exc.errno != errno.ELOOP:
                raise
            log.warning("a token cannot be read and counts as none: %s: %s", path, exc)
            return {}
        is_whole = isinstance(data, dict) and all(
            isinstance(data.get(name), (int, float)) for name in ("start", "expire")
        )
        return data if is_whole else {}


def _remove(path: str) -> bool:
    try:
        os.unlink(path)
    except FileNotFoundError:
        return False
    return True

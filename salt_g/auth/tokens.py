"""Login tokens, stored on disk.

Only digests of tokens are stored, so read access to the file system does not reveal the tokens.
Shapes: the content of a token is {token, start, expire, name, eauth, groups?, auth_list?}.
Units: seconds since the epoch.
Errors: OSError if the disk fails.
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
from collections.abc import Callable, Iterator, Mapping

from salt_g.auth.token_index import TokenIndex
from salt_g.process import disk
from salt_g.process.offload import yield_to_hub
from salt_g.shapes.loads import TokenContent

log = logging.getLogger(__name__)

#: Number of random bytes of a token.
_BYTES = 32
_TOKEN = re.compile(r"[0-9a-f]{64}", re.A)
#: Maximum number of tokens of one user; a new one replaces the oldest.
OF_ONE_USER = 100
#: Maximum number of tokens in total; a new one replaces the oldest of all.
MOST = 100_000
#: Tokens read between two switches of greenlets: some 5 ms.
_SLICE = 50
#: How far the clock may have been set back since a token was created (s). After a larger change, tokens
#: would last longer than granted, so they are refused and their owners log in again.
_TOLERANCE = 300


class Tokens:
    """Tokens in one directory, each in a file named by its digest."""

    def __init__(self, directory: str, *, clock: Callable[[], float] = time.time) -> None:
        self._directory = directory
        self._clock = clock
        self._index: TokenIndex | None = None

    def make(self, lifetime: float, about: TokenContent) -> TokenContent:
        """Create a token with the content `about` and a lifetime in seconds; return content and token.

        If a user has too many tokens, expired ones are removed, then the oldest ones.
        """
        now = self._clock()
        data: TokenContent = {"start": now, "expire": now + lifetime, **about}
        token = secrets.token_hex(_BYTES)
        self._keep(token, data, now)
        return {"token": token, **data}

    def _keep(self, token: str, data: TokenContent, now: float) -> None:
        """Store a new token after evicting tokens above the limits."""
        disk.make_private_directory(self._directory)
        index = self._known()
        for path in index.surplus(data, now):
            log.info("%s has too many tokens: the oldest one was revoked", data.get("name"))
            _remove(path)
        path = self._path(token)
        disk.write_whole(path, json.dumps(data))
        index.add(path, data)

    def _known(self) -> TokenIndex:
        """Return the index of tokens on disk, which is built from the files at first use."""
        if self._index is None:
            index = TokenIndex(OF_ONE_USER, MOST)
            for number, path in enumerate(self._paths(), 1):
                index.add(path, self._read(path))
                if number % _SLICE == 0:
                    yield_to_hub()
            self._index = self._index or index
        return self._index

    def get(self, token: object) -> TokenContent:
        """Return the content of a token; {} if it does not exist, has expired or is dated in the future."""
        if not isinstance(token, str) or not _TOKEN.fullmatch(token):
            return {}
        data = self._kept(token)
        if not data:
            return {}
        now = self._clock()
        if data["expire"] < now:
            self._forget(token)
            return {}
        if data["start"] > now + _TOLERANCE:
            log.warning("ignored a token of %s that was created in the future", data.get("name"))
            return {}
        return {"token": token, **data}

    def remove(self, token: object) -> bool:
        """Revoke a token; return whether it existed."""
        is_token = isinstance(token, str) and _TOKEN.fullmatch(token) is not None
        return is_token and self._forget(str(token))

    def _kept(self, token: str) -> TokenContent:
        """Return the stored content of a token, or {} if it does not exist or is malformed."""
        return self._read(self._path(token))

    def _forget(self, token: str) -> bool:
        """Remove a token; return whether it existed."""
        return self._end(self._path(token))

    def walk(self) -> Iterator[tuple[str, TokenContent]]:
        """Yield (digest, content) of the valid tokens; may yield to other greenlets."""
        now = self._clock()
        for number, path in enumerate(self._paths(), 1):
            content = self._read(path)
            if content and content["expire"] >= now:
                yield os.path.basename(path), content
            if number % _SLICE == 0:
                yield_to_hub()

    def remove_digest(self, digest: str) -> bool:
        """Revoke the token with a digest; return whether it existed."""
        return _TOKEN.fullmatch(digest) is not None and self._end(os.path.join(self._directory, digest))

    def clean(self) -> int:
        """Remove expired and malformed tokens, yielding to other greenlets; return the number removed."""
        now, removed = self._clock(), 0
        for number, path in enumerate(self._paths(), 1):
            # A token that cannot be opened at the moment may still be valid.
            with contextlib.suppress(OSError):
                if self._read(path).get("expire", 0) < now:
                    removed += self._end(path)
            if number % _SLICE == 0:
                yield_to_hub()
        return removed

    def contents(self) -> dict[str, TokenContent]:
        """Return the contents of all tokens by digest."""
        found = {os.path.basename(path): self._read(path) for path in self._paths()}
        return {digest: data for digest, data in found.items() if data}

    def replace_all(self, contents: Mapping[str, TokenContent]) -> None:
        """Replace all tokens by the given ones, {digest: content}."""
        for path in list(self._paths()):
            self._end(path)
        if contents:
            disk.make_private_directory(self._directory)
        for digest, data in contents.items():
            disk.write_whole(os.path.join(self._directory, digest), json.dumps(data))
        self._index = None

    def _end(self, path: str) -> bool:
        if self._index is not None:
            self._index.discard(path)
        return _remove(path)

    def _path(self, token: str) -> str:
        return os.path.join(self._directory, digest_of(token))

    def _paths(self) -> Iterator[str]:
        try:
            names = os.listdir(self._directory)
        except FileNotFoundError:
            return
        for name in names:
            if _TOKEN.fullmatch(name):
                yield os.path.join(self._directory, name)

    def _read(self, path: str) -> TokenContent:
        try:
            descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC)
            with os.fdopen(descriptor, encoding="utf-8") as file:
                data = json.load(file)
        except FileNotFoundError:
            return {}
        except (OSError, ValueError) as exc:
            if isinstance(exc, OSError) and exc.errno != errno.ELOOP:
                raise
            log.warning("ignored a token that cannot be read: %s: %s", path, exc)
            return {}
        is_whole = isinstance(data, dict) and all(
            isinstance(data.get(name), (int, float)) for name in ("start", "expire")
        )
        return data if is_whole else {}


def digest_of(token: str) -> str:
    """Return the digest under which a token is stored, so that look-up times do not reveal the token."""
    return hashlib.sha256(token.encode("ascii")).hexdigest()


def _remove(path: str) -> bool:
    try:
        os.unlink(path)
    except FileNotFoundError:
        return False
    return True

"""Login tokens in the database, so that a login at one master of a cluster is valid at all of them.

The database has the digest of a token, and its content sealed with a key derived from `master.pem`. Write
access to the database without that key is not enough to use or create a token.
Shapes and units: as in `auth/tokens.py`.
Errors: StoreError while the database is unavailable.
"""

from __future__ import annotations

import hashlib
import logging
import time
from collections.abc import Callable, Sequence
from typing import NamedTuple

from salt_g.auth.tokens import MOST, OF_ONE_USER, Tokens, digest_of
from salt_g.cache.operation import DatabaseConnection, Operation
from salt_g.cache.store import Store
from salt_g.cluster.sealing import Sealing
from salt_g.cluster.tables import LANE
from salt_g.errors import SealBroken
from salt_g.shapes.loads import TokenContent

log = logging.getLogger(__name__)

_TOKEN = "SELECT body FROM tokens WHERE digest = ?"
_TOKENS = "SELECT digest, body FROM tokens"


class _KeptToken(NamedTuple):
    """Login token to store; `most` limits the tokens of its owner, `in_total` limits all tokens."""

    digest: str
    owner: str
    start: float
    expire: float
    body: bytes
    most: int
    in_total: int


class SharedTokens(Tokens):
    """Tokens of all masters. Lifecycle: `use` or `start` once the key pair of the masters is available."""

    def __init__(self, directory: str, store: Store, *, clock: Callable[[], float] = time.time) -> None:
        super().__init__(directory, clock=clock)
        self._store = store
        self._sealing: Sealing | None = None

    def use(self, sealing: Sealing) -> None:
        """Set the key pair of the masters for sealing."""
        self._sealing = sealing

    def start(self, sealing: Sealing) -> None:
        """Move the tokens that this master issued before it joined a cluster into the database."""
        self.use(sealing)
        for digest, data in super().contents().items():
            self._keep_digest(digest, data)
        self.replace_all({})

    def clean(self) -> int:
        """Remove expired tokens; return the number removed."""
        return int(self._store.write(_EXPIRE_TOKENS, self._clock()).result())

    def contents(self) -> dict[str, TokenContent]:
        """Return the contents of all tokens by digest."""
        rows = self._store.read(_TOKENS)
        found = {digest: self._opened(digest, bytes(body)) for digest, body in rows}
        return {digest: data for digest, data in found.items() if data}

    def _keep(self, token: str, data: TokenContent, now: float) -> None:
        if self._keep_digest(digest_of(token), data):
            log.info("%s has too many tokens: the oldest ones were revoked", data.get("name"))

    def _keep_digest(self, digest: str, data: TokenContent) -> int:
        assert self._sealing is not None
        # Sealed with its digest, so that a content that is moved to another row is useless.
        body = self._sealing.seal([digest, data])
        row = _KeptToken(digest, _owner(data), data["start"], data["expire"], body, OF_ONE_USER, MOST)
        return int(self._store.write(_KEEP_TOKEN, row, len(body)).result())

    def _kept(self, token: str) -> TokenContent:
        digest = digest_of(token)
        rows = self._store.read(_TOKEN, (digest,))
        return self._opened(digest, bytes(rows[0][0])) if rows else {}

    def _forget(self, token: str) -> bool:
        return bool(self._store.write(_END_TOKEN, digest_of(token)).result())

    def _opened(self, digest: str, body: bytes) -> TokenContent:
        """Open the content of a token; return {} if it was sealed for another token or by other masters."""
        assert self._sealing is not None
        try:
            sealed_for, data = self._sealing.open(body)
        except (SealBroken, ValueError):
            sealed_for, data = "", {}
        if sealed_for != digest:
            log.warning(
                "ignored a token in %s: it was sealed for another token, or not by a master of this cluster",
                self._store.path,
            )
            return {}
        content: TokenContent = data
        return content


def _owner(data: TokenContent) -> str:
    """Return the digest that identifies a token's user in the database, where tokens are counted."""
    return hashlib.sha256(repr((data.get("eauth"), data.get("name"))).encode()).hexdigest()


def _keep_tokens(connection: DatabaseConnection, items: Sequence[_KeptToken]) -> Sequence[int]:
    """Store tokens; the result for each is the number of older tokens that were removed."""
    return [_keep_token(connection, item) for item in items]


def _keep_token(connection: DatabaseConnection, item: _KeptToken) -> int:
    """Store a token after removing expired tokens of its owner and the oldest ones above the limits."""
    ended = connection.execute(
        "DELETE FROM tokens WHERE owner = ? AND (expire < ? OR digest IN"
        " (SELECT digest FROM tokens WHERE owner = ? ORDER BY start DESC, digest OFFSET ?))",
        (item.owner, item.start, item.owner, item.most - 1),
    ).rowcount
    ended += connection.execute(
        "DELETE FROM tokens WHERE digest IN (SELECT digest FROM tokens ORDER BY start DESC, digest OFFSET ?)",
        (item.in_total - 1,),
    ).rowcount
    connection.execute(
        "INSERT INTO tokens VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
        (item.digest, item.owner, item.start, item.expire, item.body),
    )
    return ended


def _end_tokens(connection: DatabaseConnection, digests: Sequence[str]) -> Sequence[bool]:
    sql = "DELETE FROM tokens WHERE digest = ?"
    return [connection.execute(sql, (digest,)).rowcount == 1 for digest in digests]


def _expire_tokens(connection: DatabaseConnection, moments: Sequence[float]) -> Sequence[int]:
    sql = "DELETE FROM tokens WHERE expire < ?"
    return [connection.execute(sql, (moment,)).rowcount for moment in moments]


_KEEP_TOKEN = Operation("keep a token", LANE, _keep_tokens)
_END_TOKEN = Operation("end a token", LANE, _end_tokens)
_EXPIRE_TOKENS = Operation("remove old tokens", LANE, _expire_tokens)

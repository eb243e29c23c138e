"""Ownership of an id's data by a key.

An id can return with another key, after a deletion by us, by another program, or while no master ran. The
second key gets nothing that belongs to the first: not the data that its minion sent or pushed, not the
returns of its jobs, and not its place among the expected minions of a job.
Shapes: bank `owners`, {id: {"key": digest of the key, "since": jid}}; `since` is when an earlier owner was
removed, '' if there was none.
Errors: read and write errors are logged; the in-memory data stays correct.
Source: security property 7.
"""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from salt_g.cache.banks import Banks
from salt_g.data import jid as jids
from salt_g.data.bounded_cache import remember
from salt_g.errors import StoreError

log = logging.getLogger(__name__)

BANK = "owners"
#: Maximum number of cached ids; others are read from the store.
REMEMBERED = 50_000


class Owner(NamedTuple):
    """Owner of an id; `key` is '' after a deletion."""

    key: str = ""
    since: str = ""


class MinionDataOwners:
    """Owners of ids; `forget` drops the data of an id."""

    def __init__(self, banks: Banks, *, forget: Callable[[str], None]) -> None:
        self._banks = banks
        self._forget = forget
        self._known: dict[str, Owner] = {}

    def claim(self, id: str, pem: str) -> None:
        """Record the key with which an id is accepted; forget the data of another key first.

        Raise StoreError if the owner of the id's data cannot be read, because the data must not be inherited
        unchecked.
        """
        owner, digest = self._of(id), hashlib.sha256(pem.encode()).hexdigest()
        if owner.key == digest:
            return
        if owner != Owner():
            log.info("%s: signed in with another key, so data of the earlier key is removed", id)
            self._forget(id)
            owner = Owner(since=jids.make())
        self._note(id, owner._replace(key=digest))

    def end(self, id: str) -> None:
        """Forget the data of an id whose key was deleted."""
        self._forget(id)
        self._note(id, Owner(since=jids.make()))

    def leave(self, id: str) -> None:
        """Pass the data on to the next owner, on an operator's request."""
        self._note(id, Owner())

    def has(self, id: str, jid: str) -> bool:
        """Return whether a job was published during the current ownership of an id; raises StoreError."""
        return jid >= self._of(id).since

    def reread_one(self, id: str) -> None:
        """Discard the cached owner of an id, because another master has written it; the next use reads it."""
        self._known.pop(id, None)

    def _of(self, id: str) -> Owner:
        if id not in self._known:
            self._remember(id, self._read(id))
        return self._known[id]

    def _read(self, id: str) -> Owner:
        kept: Any = self._banks.fetch(BANK, id)
        if not isinstance(kept, Mapping):
            return Owner()
        return Owner(str(kept.get("key") or ""), str(kept.get("since") or ""))

    def _note(self, id: str, owner: Owner) -> None:
        self._remember(id, owner)
        try:
            self._banks.store(BANK, id, owner._asdict())
        except StoreError as exc:
            log.error("%s: cannot save the owner of its data: %s", id, exc)

    def _remember(self, id: str, owner: Owner) -> None:
        remember(self._known, id, owner, REMEMBERED)

"""To which key the data of an id belongs.

Why its own file: an id can come again with another key, after a deletion by us, by another program, or while
no master ran. Nothing of the first one is for the second: not what it sent or pushed, not the
returns of what it ordered, and no place among those who are asked by its jobs.
Shapes: bank `owners`, {id: {"key": digest of the key, "since": jid}}; `since` is when an earlier owner went,
'' when there was none.
Errors: what cannot be read or written is logged; the memory is right all the same.
Source: security property 7.
"""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from salt_g.cache.banks import Banks
from salt_g.data import jid as jids
from salt_g.errors import StoreError

log = logging.getLogger(__name__)

BANK = "owners"
#: Ids remembered; more than that are read from the store.
REMEMBERED = 10_000


class Owner(NamedTuple):
    """Whose an id is; `key` is '' after a deletion."""

    key: str = ""
    since: str = ""


class MinionDataOwners:
    """The owners of ids; `forget` drops what is known of an id."""

    def __init__(self, banks: Banks, *, forget: Callable[[str], None]) -> None:
        self._banks = banks
        self._forget = forget
        self._known: dict[str, Owner] = {}

    def claim(self, id: str, pem: str) -> None:
        """Note the key that an id is let in with; what another one left is forgotten first.

        Raises StoreError when it cannot be read whose the data is: nobody may inherit it unseen.
        """
        owner, digest = self._of(id), hashlib.sha256(pem.encode()).hexdigest()
        if owner.key == digest:
            return
        if owner != Owner():
            log.info("%s: it comes with another key, what is known of the earlier one is forgotten", id)
            self._forget(id)
            owner = Owner(since=jids.make())
        self._note(id, owner._replace(key=digest))

    def end(self, id: str) -> None:
        """Forget what belongs to an id whose key was deleted."""
        self._forget(id)
        self._note(id, Owner(since=jids.make()))

    def leave(self, id: str) -> None:
        """Let the next owner have what this one leaves, because an operator wants that."""
        self._note(id, Owner())

    def has(self, id: str, jid: str) -> bool:
        """Return whether a job is of the time of the present owner of an id; raises StoreError."""
        return jid >= self._of(id).since

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
            log.error("%s: it cannot be kept whose its data is: %s", id, exc)

    def _remember(self, id: str, owner: Owner) -> None:
        if len(self._known) >= REMEMBERED:
            self._known.clear()
        self._known[id] = owner

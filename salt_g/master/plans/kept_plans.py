"""Plans in the master's store: one record each, and the document of each minion.

Each value is sealed together with its place, under a key derived from the master's. So write access to the
store is not enough to change or approve a plan, and read access does not reveal its arguments.
Shapes: the bank `plans` has records by id, `plans/ID` the documents by minion: {minion, document: JSON text},
where `minion` is the sender and the key its name, or that of its resource.
Bounds: MAX_PLANS, MAX_OF_USER of one user with limits, MAX_HELD and MAX_BYTES for the documents of one plan;
expired plans are removed when one is made.
Errors: StoreError from the store; ClientError for problems that the user can solve.
"""

from __future__ import annotations

import json
import logging
import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from salt_g.cache.banks import Banks
from salt_g.cache.futures import Future
from salt_g.cluster.sealing import Sealing
from salt_g.errors import ClientError, SealBroken
from salt_g.process.offload import offload
from salt_g.shapes.plans import PlanRecord
from salt_g.wire.rsa import PrivateKey

log = logging.getLogger(__name__)

BANK = "plans"
#: Maximum number of plans, maximum size of the documents of one (bytes), and lifetime of each (s).
MAX_PLANS = 100
MAX_BYTES = 16 << 20
LIFETIME = 24 * 3600
#: Maximum number of plans of one user with limits, so that others can make some too.
MAX_OF_USER = 25
#: Maximum size of the accepted documents of one plan (bytes); a plan above MAX_BYTES can be shown but not
#: applied.
MAX_HELD = 4 * MAX_BYTES
#: Size from which a document is packed in a native thread (bytes).
_LARGE = 64 * 1024


class KeptPlans:
    """Plans of this master, or of all masters with this key and store."""

    def __init__(self, banks: Banks, key: PrivateKey, *, clock: Callable[[], float] = time.time) -> None:
        self._banks = banks
        self._sealing = Sealing(key, "plans")
        self._clock = clock
        #: {plan id: sealed record as last read or written}, the version that a change of the record replaces.
        self._sealed: dict[str, bytes] = {}
        #: {plan id: {name: size of the document}} for the documents accepted by this process.
        self._sizes: dict[str, dict[str, int]] = {}

    def ids(self) -> list[str]:
        """Return the ids of all plans, also of expired ones."""
        return self._banks.list(BANK)

    def read(self, id: str) -> PlanRecord | None:
        """Return the record of a plan, None for an unknown or expired one."""
        sealed = self._banks.fetch_packed(BANK, id)
        found: PlanRecord | None = self._open(BANK, id, sealed)
        if found is None or self._clock() > found["until"]:
            return None
        self._sealed[id] = sealed
        return found

    def write(self, record: PlanRecord) -> None:
        """Store a record in place of the version that was read last; return when it is on disk.

        Raise ClientError if another master has changed it since, so that no approval or application is lost.
        """
        id = record["id"]
        sealed = self._sealing.seal_job(_packed(BANK, id, record))
        if not self._banks.replace_packed(BANK, id, sealed, self._sealed.get(id, b"")).result():
            raise ClientError(
                f"plan {id} was changed by another master at the same moment; repeat the command"
            )
        self._sealed[id] = sealed

    def find(self, wanted: str) -> list[PlanRecord]:
        """Return the plan with this id, or the plans with this name, the newest first."""
        record = self.read(wanted) if wanted in self.ids() else None
        if record is not None:
            return [record]
        return [one for one in reversed(self.all()) if one["name"] == wanted]

    def all(self) -> list[PlanRecord]:
        """Return all records, the oldest first."""
        found = (self.read(id) for id in self.ids())
        return sorted((one for one in found if one is not None), key=lambda one: one["made"])

    def make_room(self, limited_user: str = "") -> None:
        """Remove expired plans; raise ClientError if the limit of all plans or of this user is reached."""
        ids = self.ids()
        for id in [id for id in ids if self.read(id) is None]:
            self.drop(id)
            ids.remove(id)
        self._sealed = {id: sealed for id, sealed in self._sealed.items() if id in ids}
        if len(ids) >= MAX_PLANS:
            raise ClientError(
                f"{MAX_PLANS} plans are kept, the maximum: salt-g plan list shows them, salt-g plan drop ID"
                " removes one"
            )

        own = [one for one in self.all() if one["user"] == limited_user] if limited_user else []
        if len(own) >= MAX_OF_USER:
            raise ClientError(
                f"{MAX_OF_USER} plans of {limited_user} are kept, the maximum: salt-g plan drop ID removes"
                " one"
            )

    def has_room(self, id: str, name: str, size: int) -> bool:
        """Return whether a document fits into its plan; if so, count it."""
        sizes = self._sizes.setdefault(id, {})
        if sum(sizes.values()) - sizes.get(name, 0) + size > MAX_HELD:
            return False
        sizes[name] = size
        return True

    def drop(self, id: str) -> None:
        """Remove a plan."""
        self._sizes.pop(id, None)
        self._sealed.pop(id, None)
        # The record is removed last, because documents without a record would never be found again.
        self._banks.flush(_bank_of(id))
        self._banks.flush(BANK, id).result()

    def put_document(self, id: str, name: str, minion: str, document: str) -> Future[None]:
        """Queue the document of a minion, or of a resource that it manages, for the store."""
        return self._seal(_bank_of(id), name, {"minion": minion, "document": document})

    def names(self, id: str) -> list[str]:
        """Return the names of the minions and resources with a document."""
        return self._banks.list(_bank_of(id))

    def document(self, id: str, name: str) -> dict[str, str] | None:
        """Return {minion, document} of a name in a plan, or None if it has none."""
        found: dict[str, str] | None = self._opened(_bank_of(id), name)
        return found

    def documents(self, id: str) -> Iterator[tuple[str, dict[str, str]]]:
        """Yield (name, {minion, document}) of a plan, by name."""
        for name in self.names(id):
            found = self.document(id, name)
            if found is not None:
                yield name, found

    def _seal(self, bank: str, key: str, value: Mapping[str, Any]) -> Future[None]:
        is_large = len(value.get("document", "")) > _LARGE
        plain = offload(_packed, bank, key, value) if is_large else _packed(bank, key, value)
        return self._banks.store_packed(bank, key, self._sealing.seal_job(plain))

    def _opened(self, bank: str, key: str) -> Any:
        return self._open(bank, key, self._banks.fetch_packed(bank, key))

    def _open(self, bank: str, key: str, sealed: bytes) -> Any:
        if not sealed:
            return None
        try:
            plain = self._sealing.open_job(sealed)
        except SealBroken:
            log.error("ignored the entry %s of %s, which this master did not write", key, bank)
            return None
        place, name, value = offload(json.loads, plain)
        return value if (place, name) == (bank, key) else None


def _packed(bank: str, key: str, value: Mapping[str, Any]) -> bytes:
    return json.dumps([bank, key, value]).encode()


def _bank_of(id: str) -> str:
    return f"{BANK}/{id}"

"""Persistence of the registry: changes written to the store, events fired, state restored.

The changes of a registration, a lease or a deleted key are collected, so that they are written in few
batches, and nothing is written if nothing has changed.
Shapes: events `salt/resource/<srn>/{added,removed,moved}` with {srn, type, id, minion, from}.
Errors: write errors are logged; the in-memory registry stays correct, and minions register again.
"""

from __future__ import annotations

import logging
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from salt_g.cache.resources import SLICE, ResourceRow, ResourceTable
from salt_g.errors import StoreError, TargetError
from salt_g.event import payloads
from salt_g.event.bus import Bus
from salt_g.master.resources.granted_leases import GrantedLeases
from salt_g.master.resources.registry import Record, ResourceRegistry
from salt_g.process.offload import yield_to_hub
from salt_g.resource_model.srn import parse
from salt_g.shapes import Grains, GrainsDict
from salt_g.shapes.loads import EventData
from salt_g.wire.packing import pack_bus

log = logging.getLogger(__name__)

#: Events fired between two yields to other greenlets: some 3 ms.
_SLICE = 100
#: Longest text in grains that is shared between resources.
_SHARED = 64


class RegistryChanges:
    """Changes made by one step."""

    def __init__(self) -> None:
        self.changed: dict[str, Record] = {}
        self.gone: dict[str, Record] = {}
        self.grains: dict[str, bytes] = {}
        self.events: list[tuple[str, EventData]] = []

    def put(self, act: str, record: Record, source: str = "") -> None:
        """Record a resource as `added`, `moved` (from `source`), or '' for a changed standby list."""
        self.gone.pop(record.srn, None)
        self.changed[record.srn] = record
        self._add_event(act, record, source)

    def drop(self, record: Record) -> None:
        """Record the removal of a resource."""
        self.changed.pop(record.srn, None)
        self.gone[record.srn] = record
        self._add_event("removed", record)

    def _add_event(self, act: str, record: Record, source: str = "") -> None:
        if act:
            fields = {"srn": record.srn, "type": record.type, "id": record.id, "minion": record.minion}
            self.events.append((act, {**fields, "from": source} if source else fields))


class RegistryPersistence:
    """Link between the registry and the store."""

    def __init__(
        self,
        registry: ResourceRegistry,
        leases: GrantedLeases,
        table: ResourceTable,
        bus: Bus,
        *,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._registry = registry
        self._leases = leases
        self._table = table
        self._bus = bus
        self._clock = clock

    def read(self) -> None:
        """Fill the registry with the state saved by an earlier run."""
        with_leases: dict[str, bool] = {}
        try:
            for row in self._table.rows():
                self._take(row)
                with_leases[row.minion] = row.takes_leases
            for srn, grains in self._table.grains():
                record = self._registry.find(srn)
                if record is not None:
                    record.grains = shared(grains, record.id)
        except StoreError as exc:
            log.error("resources cannot be read; minions will register them again: %s", exc)
        self._leases.restart(minion for minion, takes in with_leases.items() if takes)
        for minion in (minion for minion, takes in with_leases.items() if not takes):
            self._leases.set_unlimited(minion)

    def read_again(self) -> None:
        """Reload the registry from the store, and restart all leases; raises StoreError."""
        rows, grains = list(self._table.rows()), dict(self._table.grains())
        stored = {row.srn for row in rows}
        for record in [record for record in self._registry if record.srn not in stored]:
            self._registry.drop(record)
        for row in rows:
            self.follow(row)
            self.follow_grains(row.srn, grains.get(row.srn, {}))
            self.follow_lease(row.minion, takes_leases=row.takes_leases)

    def follow(self, row: ResourceRow) -> str | None:
        """Apply a resource stored by another master; return its former manager if it has moved."""
        record = self._registry.find(row.srn)
        if record is None:
            self._take(row)
            return None
        before = record.minion
        self._registry.assign(record, row.minion, row.standby)
        return before if before != row.minion else None

    def follow_grains(self, srn: str, grains: Grains) -> None:
        """Apply the grains of a resource stored by another master."""
        record = self._registry.find(srn)
        if record is not None:
            record.grains = shared(grains, record.id)

    def follow_lease(self, minion: str, *, takes_leases: bool) -> None:
        """Apply the renewal of a lease by another master."""
        if takes_leases:
            self._leases.renew(minion)
        else:
            self._leases.set_unlimited(minion)

    def write(self, changes: RegistryChanges) -> None:
        """Save the changes and fire their events; write nothing without changes."""
        now = self._clock()
        try:
            for some in _slices(changes.changed):
                self._table.put(self._row(srn, changes.changed[srn], now) for srn in some)
            for some in _slices(changes.gone):
                self._table.drop(some)
            for some in _slices(changes.grains):
                self._table.put_grains({srn: changes.grains[srn] for srn in some}, now=now)
        except StoreError as exc:
            number = len(changes.changed) + len(changes.gone)
            log.error("cannot save %d changes of resources: %s", number, exc)
        for number, (act, fields) in enumerate(changes.events, 1):
            self._bus.fire_payload(payloads.resource_changed(act, fields))
            if number % _SLICE == 0:
                yield_to_hub()

    def _row(self, srn: str, record: Record, now: float) -> ResourceRow:
        return ResourceRow(srn, record.minion, record.standby, self._leases.takes_leases(record.minion), now)

    def _take(self, row: ResourceRow) -> None:
        try:
            self._registry.add(Record(parse(row.srn), row.minion, row.standby))
        except TargetError as exc:
            log.error("skipped an unreadable saved resource: %s", exc)


def _slices(srns: Iterable[str]) -> Iterator[list[str]]:
    """Yield names in slices, with yields to other greenlets in between."""
    names = list(srns)
    for start in range(0, len(names), SLICE):
        yield names[start : start + SLICE]
        yield_to_hub()


def shared(grains: Grains, id: str) -> GrainsDict:
    """Return grains with keys and short texts interned, so that resources share most of their memory."""
    return {
        sys.intern(key) if type(key) is str else key: _shared_value(value, id)
        for key, value in grains.items()
    }


def packed_size(grains: Grains) -> tuple[bytes, int]:
    """Return grains as they are stored, and their size in bytes."""
    data = pack_bus(grains)
    return data, len(data)


def _shared_value(value: Any, id: str) -> Any:
    if type(value) is not str or len(value) > _SHARED:
        return value
    return id if value == id else sys.intern(value)

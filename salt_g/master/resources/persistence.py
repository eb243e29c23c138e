"""Write what changes in the registry, tell the bus, and read it again at the start.

Why its own file: one place collects the changes of a registration, a lease or a deleted key, so that each
is written in few pieces, and nothing at all when nothing has changed.
Shapes: events `salt/resource/<srn>/{added,removed,moved}` with {srn, type, id, minion, from}.
Errors: what cannot be written is logged; the memory is right all the same, and minions register again.
"""

from __future__ import annotations

import logging
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from salt_g.cache.resources import SLICE, ResourceTable, Row
from salt_g.errors import StoreError, TargetError
from salt_g.event import payloads
from salt_g.event.bus import Bus
from salt_g.master.resources.leases import Leases
from salt_g.master.resources.registry import Record, Registry
from salt_g.process.offload import yield_to_hub
from salt_g.resource_model.srn import parse
from salt_g.wire.packing import pack_bus

log = logging.getLogger(__name__)

#: Events that are fired before others have their turn: some 3 ms.
_SLICE = 100
#: Longest text among grains that is kept once for all who have it.
_SHARED = 64


class RegistryChanges:
    """What one step has changed."""

    def __init__(self) -> None:
        self.changed: dict[str, Record] = {}
        self.gone: dict[str, Record] = {}
        self.grains: dict[str, bytes] = {}
        self.told: list[tuple[str, dict[str, Any]]] = []

    def put(self, act: str, record: Record, source: str = "") -> None:
        """Note that a resource was `added`, `moved` (from `source`), or '': who stands by has changed."""
        self.gone.pop(record.srn, None)
        self.changed[record.srn] = record
        self._tell(act, record, source)

    def drop(self, record: Record) -> None:
        """Note that a resource is gone."""
        self.changed.pop(record.srn, None)
        self.gone[record.srn] = record
        self._tell("removed", record)

    def _tell(self, act: str, record: Record, source: str = "") -> None:
        if act:
            told = {"srn": record.srn, "type": record.type, "id": record.id, "minion": record.minion}
            self.told.append((act, {**told, "from": source} if source else told))


class RegistryPersistence:
    """Between the registry and what lasts."""

    def __init__(
        self,
        registry: Registry,
        leases: Leases,
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
        """Fill the registry with what an earlier run has kept."""
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
            log.error("resources cannot be read, minions will register them again: %s", exc)
        self._leases.take_up(minion for minion, takes in with_leases.items() if takes)
        for minion in (minion for minion, takes in with_leases.items() if not takes):
            self._leases.give_for_good(minion)

    def write(self, changes: RegistryChanges) -> None:
        """Keep and tell changes; nothing is written when there are none."""
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
            log.error("%d changes of resources cannot be kept: %s", number, exc)
        for number, (act, told) in enumerate(changes.told, 1):
            self._bus.fire_draft(payloads.resource_changed(act, told))
            if number % _SLICE == 0:
                yield_to_hub()

    def _row(self, srn: str, record: Record, now: float) -> Row:
        return Row(srn, record.minion, record.standby, self._leases.takes_leases(record.minion), now)

    def _take(self, row: Row) -> None:
        try:
            self._registry.add(Record(parse(row.srn), row.minion, row.standby))
        except TargetError as exc:
            log.error("a resource that was kept is left out: %s", exc)


def _slices(srns: Iterable[str]) -> Iterator[list[str]]:
    """Yield some names at a time; others have their turn in between."""
    names = list(srns)
    for start in range(0, len(names), SLICE):
        yield names[start : start + SLICE]
        yield_to_hub()


def shared(grains: Mapping[str, Any], id: str) -> dict[str, Any]:
    """Return grains whose keys and short texts are shared by all who have them: they are most of it."""
    return {
        sys.intern(key) if type(key) is str else key: _shared_value(value, id)
        for key, value in grains.items()
    }


def packed_size(grains: Mapping[str, Any]) -> tuple[bytes, int]:
    """Return grains as they are kept, and their size in bytes."""
    data = pack_bus(grains)
    return data, len(data)


def _shared_value(value: Any, id: str) -> Any:
    if type(value) is not str or len(value) > _SHARED:
        return value
    return id if value == id else sys.intern(value)

"""Registry of resources in memory, indexed by SRN, id, type and minion.

Every target and every return uses it; a look-up takes one or two dictionaries. `persistence.py` writes it to
the store; `registration.py` decides who may register.
Shapes: only this file changes the manager and standby minions of a Record. `name_of` is the name of a
resource in jobs, events and on the command line: its bare id, or its SRN while another type has the same id.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from typing import Any

from salt_g.errors import TargetError
from salt_g.resource_model.srn import Srn
from salt_g.shapes import Grains

_NOTHING: Mapping[str, Any] = {}


class Record:
    """Resource: its manager, its standby minions, its grains as of the last registration."""

    __slots__ = ("grains", "id", "minion", "standby", "type")

    def __init__(
        self,
        srn: Srn,
        minion: str,
        standby: tuple[str, ...] = (),
        grains: Grains = _NOTHING,
    ) -> None:
        self.type = sys.intern(srn.type)
        self.id = srn.id
        self.minion = sys.intern(minion)
        self.standby = standby
        self.grains = grains

    @property
    def srn(self) -> str:
        """SRN of the resource, `type:id`."""
        return f"{self.type}:{self.id}"

    @property
    def managers(self) -> tuple[str, ...]:
        """Minion that manages the resource, and the minions on standby."""
        return (self.minion, *self.standby)


class ResourceRegistry:
    """All resources of this master."""

    def __init__(self) -> None:
        self._by_type: dict[str, dict[str, Record]] = {}
        self._by_id: dict[str, Record | tuple[Record, ...]] = {}
        self._by_minion: dict[str, set[Record]] = {}
        self._waiting: dict[str, set[Record]] = {}
        self._number = 0

    def __len__(self) -> int:
        return self._number

    def __iter__(self) -> Iterator[Record]:
        for records in list(self._by_type.values()):
            yield from list(records.values())

    def get(self, kind: str, id: str) -> Record | None:
        """Return the resource with a type and an id, or None if there is none."""
        return self._by_type.get(kind, {}).get(id)

    def find(self, srn: str) -> Record | None:
        """Return the resource with an SRN, or None if there is none."""
        kind, _, id = srn.partition(":")
        return self.get(kind, id)

    def with_id(self, id: str) -> tuple[Record, ...]:
        """Return the resources with a bare id, one of each type at most."""
        found = self._by_id.get(id, ())
        return found if isinstance(found, tuple) else (found,)

    def named(self, name: str) -> Record | None:
        """Return the resource with a name (bare id or SRN), or None if there is none.

        Raise TargetError for a bare id of several types.
        """
        found = self.with_id(name)
        if len(found) > 1:
            srns = " and ".join(sorted(record.srn for record in found))
            raise TargetError(f"{name!r} is the id of {srns}; write one of these names, or T@type:id with -C")
        return found[0] if found else self.find(name)

    def name_of(self, record: Record) -> str:
        """Return the name of a resource in jobs: its bare id if that is unique."""
        return record.srn if isinstance(self._by_id.get(record.id), tuple) else record.id

    def of_type(self, kind: str) -> list[Record]:
        """Return the resources of a type."""
        return list(self._by_type.get(kind, {}).values())

    def types(self) -> list[str]:
        """Return the known types, sorted."""
        return sorted(self._by_type)

    def minions(self) -> list[str]:
        """Return the minions that manage resources or are on standby, sorted."""
        return sorted(self._by_minion.keys() | self._waiting.keys())

    def held(self, minion: str) -> set[Record]:
        """Return the resources that a minion manages."""
        return self._by_minion.get(minion, set())

    def waiting(self, minion: str) -> set[Record]:
        """Return the resources for which a minion is on standby."""
        return self._waiting.get(minion, set())

    def add(self, record: Record) -> None:
        """Add a resource with a new SRN."""
        self._by_type.setdefault(record.type, {})[record.id] = record
        others = self.with_id(record.id)
        self._by_id[record.id] = (*others, record) if others else record
        self._link(record)
        self._number += 1

    def drop(self, record: Record) -> None:
        """Remove a resource."""
        self._unlink(record)
        of_type = self._by_type[record.type]
        del of_type[record.id]
        if not of_type:
            del self._by_type[record.type]
        left = tuple(other for other in self.with_id(record.id) if other is not record)
        if left:
            self._by_id[record.id] = left if len(left) > 1 else left[0]
        else:
            del self._by_id[record.id]
        self._number -= 1

    def assign(self, record: Record, minion: str, standby: tuple[str, ...]) -> None:
        """Set the managing minion and the standby minions of a resource."""
        self._unlink(record)
        record.minion, record.standby = sys.intern(minion), standby
        self._link(record)

    def _link(self, record: Record) -> None:
        self._by_minion.setdefault(record.minion, set()).add(record)
        for minion in record.standby:
            self._waiting.setdefault(minion, set()).add(record)

    def _unlink(self, record: Record) -> None:
        _discard(self._by_minion, record.minion, record)
        for minion in record.standby:
            _discard(self._waiting, minion, record)


def _discard(table: dict[str, set[Record]], minion: str, record: Record) -> None:
    records = table.get(minion)
    if records is not None:
        records.discard(record)
        if not records:
            del table[minion]

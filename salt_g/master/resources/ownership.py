"""Rules of resource ownership: first claim, takeover after a lease, succession after a drop.

`registration.py` calls them one at a time, so that no SRN is assigned twice.
Shapes: each step records its effects in RegistryChanges.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from salt_g.data import jid as jids
from salt_g.master.resources.claim_checks import SLICE, ClaimRules
from salt_g.master.resources.granted_leases import GrantedLeases
from salt_g.master.resources.persistence import RegistryChanges
from salt_g.master.resources.registry import Record, ResourceRegistry
from salt_g.master.resources.remapping import BeforeRemapping
from salt_g.process.offload import yield_to_hub
from salt_g.resource_model.srn import Srn

#: Number of resources whose former holders are remembered, for returns still in transit.
MAX_MOVED = 20_000


class OwnershipFence(NamedTuple):
    """Fence of a revoked minion: the time until which it may still act, by the clock of the leases."""

    end: float
    minion: str


class Ownership:
    """Assignment of resources to minions. Each step starts with `begin`.

    With `is_shared`, all managers of a resource act on it.
    """

    def __init__(
        self,
        registry: ResourceRegistry,
        leases: GrantedLeases,
        rules_of: Callable[[str], ClaimRules],
        *,
        is_shared: bool,
    ) -> None:
        self.moved: dict[str, BeforeRemapping] = {}
        self._registry = registry
        self._leases = leases
        self._rules_of = rules_of
        self._is_shared = is_shared
        self._rules_now: dict[str, ClaimRules] = {}
        #: {srn: fence of the minion whose lease must end before another minion's lease may begin}
        self._fences: dict[str, OwnershipFence] = {}
        self._freed: dict[str, Record] = {}

    def begin(self) -> RegistryChanges:
        """Begin a step, in which the rules of each minion are read only once; return its changes."""
        self._rules_now.clear()
        return RegistryChanges()

    def claim(self, srn: Srn, id: str, changes: RegistryChanges) -> Record:
        """Assign a permitted resource to a minion, or put the minion on standby if another holds it.

        Unless all managers act on their resources, a minion without leases cannot be on standby.
        """
        record = self._registry.get(*srn)
        if record is None:
            record = Record(srn, id)
            self._registry.add(record)
            changes.put("added", record)
        elif record.minion != id:
            self._claim_again(record, id, changes)
        return record

    def take_over(self, id: str, changes: RegistryChanges) -> None:
        """Assign to a minion the resources on its standby list that no longer have a holder."""
        for record in list(self._registry.waiting(id)):
            if not self._is_shared and not self._is_held(record) and self._may_have(id, record):
                self._move(record, id, changes)

    def fence(self, id: str) -> None:
        """Record that a minion is revoked but may act on its resources until its lease ends."""
        if self._leases.takes_leases(id) and self._leases.is_living(id):
            end = self._leases.end_of(id)
            self._fences.update((record.srn, OwnershipFence(end, id)) for record in self._registry.held(id))

    def is_free(self, record: Record) -> bool:
        """Return whether the holder of a resource may begin, because no former holder is still active."""
        fence = self._fences.get(record.srn)
        return fence is None or fence.minion == record.minion or self._leases.is_past(fence.end)

    def take_freed(self) -> list[Record]:
        """Return the resources whose new holders may begin now, each of them only once."""
        over = [srn for srn, fence in self._fences.items() if self._leases.is_past(fence.end)]
        for srn in over:
            del self._fences[srn]
            record = self._registry.find(srn)
            if record is not None:
                self._freed[srn] = record
        freed, self._freed = list(self._freed.values()), {}
        return freed

    def withdraw(self, id: str, wanted: set[Srn], changes: RegistryChanges) -> None:
        """Withdraw from a minion the resources not in `wanted`; permitted standby minions get them."""
        for number, record in enumerate(list(self._registry.held(id)), 1):
            if (record.type, record.id) not in wanted:
                self._release(record, changes)
            if number % SLICE == 0:
                yield_to_hub()
        for record in list(self._registry.waiting(id)):
            if (record.type, record.id) not in wanted:
                self._registry.assign(record, record.minion, _without(record.standby, id))
                changes.put("", record)

    def _claim_again(self, record: Record, id: str, changes: RegistryChanges) -> None:
        """Decide about a claim of a resource that another minion holds."""
        if not self._is_shared and not self._is_held(record):
            self._move(record, id, changes)
        elif (self._is_shared or self._leases.takes_leases(id)) and id not in record.standby:
            self._registry.assign(record, record.minion, (*record.standby, id))
            changes.put("", record)

    def _is_held(self, record: Record) -> bool:
        """Return whether the minion of a resource may be active on it, or will be after its next request."""
        holder = record.minion
        if self._leases.takes_leases(holder):
            return self._leases.is_living(holder)
        return self._may_have(holder, record)

    def _may_have(self, id: str, record: Record) -> bool:
        """Return whether pillar or `resource_acl` still assign a resource to a minion."""
        if id not in self._rules_now:
            self._rules_now[id] = self._rules_of(id)
        return self._rules_now[id].may_have(Srn(record.type, record.id))

    def _move(self, record: Record, id: str, changes: RegistryChanges) -> None:
        others = _without(record.standby, id)
        if self._leases.takes_leases(record.minion):
            # A stock minion would not know that it is on standby.
            others = (*others, record.minion)
        self._give(record, id, others, changes)

    def _release(self, record: Record, changes: RegistryChanges) -> None:
        heir = next((id for id in record.standby if self._may_have(id, record)), None)
        if heir is not None:
            self._give(record, heir, _without(record.standby, heir), changes)
            if record.srn not in self._fences:
                self._freed[record.srn] = record
        else:
            self._registry.drop(record)
            changes.drop(record)

    def note_moved(self, srn: str, before: str) -> None:
        """Record that a resource has a new manager, because returns of the former one may be in transit."""
        self.moved.pop(srn, None)
        self.moved[srn] = BeforeRemapping(before, jids.make())
        if len(self.moved) > MAX_MOVED:
            del self.moved[next(iter(self.moved))]

    def _give(self, record: Record, id: str, standby: tuple[str, ...], changes: RegistryChanges) -> None:
        before = record.minion
        self._registry.assign(record, id, standby)
        self.note_moved(record.srn, before)
        changes.put("moved", record, before)


def _without(minions: tuple[str, ...], id: str) -> tuple[str, ...]:
    return tuple(other for other in minions if other != id)

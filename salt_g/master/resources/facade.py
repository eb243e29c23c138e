"""Facade of resource management on the master.

Connects the parts, so that the daemon uses one object for resources. It serves the requests of runners
(`services.daemons.Resources`).
Lifecycle: created before the store starts, `start` afterwards.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from salt_g.cache.resources import ResourceTable
from salt_g.errors import TargetError
from salt_g.event.bus import Bus
from salt_g.keys.files import KeyFiles
from salt_g.master.commands import WireCommand
from salt_g.master.resources.granted_leases import GrantedLeases
from salt_g.master.resources.jobs import ResourceJobs
from salt_g.master.resources.persistence import RegistryPersistence
from salt_g.master.resources.registration import Registration
from salt_g.master.resources.registry import Record, ResourceRegistry
from salt_g.master.resources.remapping import Remapping
from salt_g.master.resources.resource_pillar_service import Compiling, Known, ResourcePillarService
from salt_g.master.resources.takeover_notice import TakeoverNotice
from salt_g.master.resources.targeting import ResourceTargeting
from salt_g.master.settings import MasterResourceSettings
from salt_g.shapes.loads import ShownResource

log = logging.getLogger(__name__)

#: Shortest lease (s), because a minion must be able to renew it at every third of its length.
SHORTEST_LEASE = 3.0


class Resources:
    """Resources of one master."""

    def __init__(
        self,
        settings: MasterResourceSettings,
        *,
        keys: KeyFiles,
        table: ResourceTable,
        bus: Bus,
        compiling: Compiling,
        known: Known,
        decides: Callable[[], bool] = lambda: True,
    ) -> None:
        """Initialize; `known` returns (grains, pillar) of a minion.

        `decides` returns whether this master decides about resources; in a cluster only the leader does.
        """
        if settings.resource_managers not in ("one", "all"):
            log.error("resource_managers is %r; use `one` or `all`", settings.resource_managers)
        self.registry = ResourceRegistry()
        self.leases = GrantedLeases(max(SHORTEST_LEASE, settings.resource_lease))
        self._persistence = RegistryPersistence(self.registry, self.leases, table, bus)
        self._pillars = ResourcePillarService(
            settings, self.registry, self.leases, compiling=compiling, known=known
        )
        self.targeting = ResourceTargeting(
            self.registry, keys, pillar_key=settings.pillar_key, own_pillars=self._pillars.kept
        )
        self.registration = Registration(
            settings,
            registry=self.registry,
            leases=self.leases,
            persistence=self._persistence,
            keys=keys,
            bus=bus,
            pillar_of=lambda id: known(id)[1],
        )
        self.takeover_notice = TakeoverNotice(
            self.registry, self.leases, self.registration.ownership, decides=decides
        )
        self.jobs = ResourceJobs(self.registry, self.leases)
        self.remapping = Remapping(
            self.registry,
            self.registration.moved,
            is_shared=settings.is_shared,
            answers_apart=self.leases.takes_leases,
        )

    @property
    def persistence(self) -> RegistryPersistence:
        """Link between the registry and the store."""
        return self._persistence

    def start(self) -> None:
        """Read the resources saved by an earlier run."""
        self._persistence.read()
        if len(self.registry):
            log.info("%d resources of %d minions", len(self.registry), len(self.registry.minions()))

    def commands(self) -> dict[str, WireCommand]:
        """Return the wire command of resource pillar; the registration has commands of its own."""
        return self._pillars.commands()

    def minions_of(self, names: Iterable[str]) -> dict[str, str]:
        """Return {name: managing minion}; a name that is not a resource maps to itself."""
        return {name: self._minion_of(name) for name in names}

    def names_of(self, minion: str) -> list[str]:
        """Return the names of the resources that a minion manages, by id and by SRN."""
        return [name for record in self.registry.held(minion) for name in (record.id, record.srn)]

    def list(self, kind: str = "", minion: str = "") -> dict[str, ShownResource]:
        """Return {srn: {minion, type, lease}} of all resources, or those of a type or minion."""
        return {
            record.srn: self._as_map(record)
            for record in sorted(self.registry, key=lambda record: record.srn)
            if kind in ("", record.type) and minion in ("", record.minion)
        }

    def show(self, name: str) -> ShownResource:
        """Return the data of a resource by SRN or bare id; raises TargetError."""
        record = self.registry.named(name)
        if record is None:
            raise TargetError(f"no resource is registered as {name!r}; `resource.list` shows those that are")
        trouble = self.registration.trouble_of(record)
        shown: ShownResource = {"srn": record.srn, **self._as_map(record), "grains": dict(record.grains)}
        if trouble:
            shown["error"] = trouble
        return shown

    def grains(self) -> dict[str, Mapping[str, Any]]:
        """Return {srn: grains} of the resources with grains."""
        return {record.srn: record.grains for record in self.registry if record.grains}

    def times_registered(self, minion: str) -> int:
        """Return how many times a minion has registered since this master started."""
        return self.registration.times[minion]

    def owners(self) -> dict[str, dict[str, Any]]:
        """Return {minion: {type: [id], standby: [srn], refused: {srn: reason}}}."""
        minions = sorted({*self.registry.minions(), *self.registration.refused})
        return {minion: self._of_minion(minion) for minion in minions}

    def _of_minion(self, minion: str) -> dict[str, Any]:
        shown: dict[str, Any] = {}
        for record in sorted(self.registry.held(minion), key=lambda record: record.id):
            shown.setdefault(record.type, []).append(record.id)
        waiting = sorted(record.srn for record in self.registry.waiting(minion))
        shown = dict(sorted(shown.items()))
        more = {"standby": waiting, "refused": self.registration.refused.get(minion)}
        return {**shown, **{name: value for name, value in more.items() if value}}

    def _as_map(self, record: Record) -> ShownResource:
        left = self.leases.left(record.minion)
        shown: ShownResource = {"minion": record.minion, "type": record.type}
        shown["lease"] = None if left is None else round(left, 1)
        return {**shown, "standby": list(record.standby)} if record.standby else shown

    def _minion_of(self, name: str) -> str:
        try:
            record = self.registry.named(name)
        except TargetError:
            record = None
        return name if record is None else record.minion

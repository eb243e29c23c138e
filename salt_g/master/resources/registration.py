"""Registration of resources: `_register_resources`, `_renew_resources`, removal of minions.

Every change of ownership starts here, one at a time, so that no SRN is assigned twice. An entry that is not
permitted is refused on its own; the others are accepted.
Shapes: see the package's docstring for the messages of peers. Refusals are {srn: reason}.
Units: seconds, bytes.
Source: resources specification, section 5; security property 5.
"""

from __future__ import annotations

import collections
import logging
from collections.abc import Callable, Iterable, Mapping
from contextlib import AbstractContextManager
from typing import Any

import gevent.lock

from salt_g.errors import WireError
from salt_g.event import payloads
from salt_g.event.bus import Bus
from salt_g.keys.files import KeyFiles
from salt_g.master.commands import FLAG, Field, WireCommand
from salt_g.master.resources import claim_checks
from salt_g.master.resources.claim_checks import SLICE, CheckedClaim, ClaimRules
from salt_g.master.resources.granted_leases import GrantedLeases
from salt_g.master.resources.ownership import Ownership
from salt_g.master.resources.persistence import RegistryChanges, RegistryPersistence, packed_size, shared
from salt_g.master.resources.registry import Record, ResourceRegistry
from salt_g.master.resources.remapping import BeforeRemapping
from salt_g.master.settings import MasterResourceSettings
from salt_g.process.offload import yield_to_hub
from salt_g.resource_model.pillar_settings import declared_below, listed_ids
from salt_g.shapes.loads import ResourcesLoad
from salt_g.wire.requests import SealedRequest

log = logging.getLogger(__name__)

#: Largest grains of one resource (bytes).
MAX_GRAINS = 64 * 1024
#: Maximum number of error notes of one minion, and the longest note (characters).
MAX_TROUBLE = 10_000
MAX_NOTE = 1000
#: Maximum number of returns in one `_return_many`.
MANY = 500

_TROUBLE = {"trouble": Field((dict, type(None)), max_size=MAX_TROUBLE)}
_FIELDS = {
    **_TROUBLE,
    "resources": Field((dict,), required=True, max_size=1000),
    "resource_grains": Field((dict, type(None))),
    "leases": FLAG,
}


class Registration:
    """Handler of registrations."""

    def __init__(
        self,
        settings: MasterResourceSettings,
        *,
        registry: ResourceRegistry,
        leases: GrantedLeases,
        persistence: RegistryPersistence,
        keys: KeyFiles,
        bus: Bus,
        pillar_of: Callable[[str], Mapping[str, Any]],
    ) -> None:
        """Initialize; `pillar_of` returns the pillar that the master has for a minion."""
        self._settings = settings
        self._registry = registry
        self._leases = leases
        self._persistence = persistence
        self._keys = keys
        self._bus = bus
        self._pillar_of = pillar_of
        self._is_shared = settings.is_shared
        self._names = frozenset((settings.id, *map(str, settings.nodegroups)))
        self._turn: AbstractContextManager[Any] = gevent.lock.Semaphore(1)
        self.ownership = Ownership(registry, leases, self._rules, is_shared=self._is_shared)
        self.moved: Mapping[str, BeforeRemapping] = self.ownership.moved
        #: {minion: {srn: reason}} of the refusals at its last registration.
        self.refused: dict[str, dict[str, str]] = {}
        #: Errors that each minion reports for its resources: {minion: {srn: text}}.
        self.trouble: dict[str, Mapping[str, Any]] = {}
        #: Number of registrations of each minion.
        self.times: collections.Counter[str] = collections.Counter()

    def commands(self) -> dict[str, WireCommand]:
        """Return the wire commands of registration and renewal."""
        return {
            "_register_resources": WireCommand(self.register, _FIELDS),
            "_renew_resources": WireCommand(self.renew, _TROUBLE),
        }

    def register(self, request: SealedRequest, load: ResourcesLoad) -> Any:
        """Replace a minion's resources; the answer is `true`, or its leases and refusals."""
        return self.replace(request.id, load)

    def renew(self, request: SealedRequest, load: ResourcesLoad) -> Any:
        """Renew a minion's lease; the minion takes over standby resources whose holder's lease is over."""
        return self.prolong(request.id, load)

    def replace(self, id: str, load: ResourcesLoad) -> Any:
        """Replace the resources of a minion at its request; raises WireError."""
        takes_leases = bool(load.get("leases"))
        grains = load.get("resource_grains") or {}
        judged = CheckedClaim([], {})
        if any(load["resources"].values()):
            # Before the lock is taken, because pillar may have to be compiled. Most minions have no
            # resources.
            judged = claim_checks.check_claims(load["resources"], self._rules(id))
        with self._turn:
            self._check_key(id)
            changes = self.ownership.begin()
            self._begin(id, takes_leases)
            self._note_trouble(id, load)
            self._take(id, judged, grains if self._settings.minion_data_cache else {}, changes)
            self.ownership.withdraw(id, set(judged.granted), changes)
            self._persistence.write(changes)
            self._report_refusals(id, judged.refused)
            self.times[id] += 1
            return self._answer(id) if takes_leases else True

    def prolong(self, id: str, load: ResourcesLoad) -> Any:
        """Renew the lease of a minion at its request; raises WireError."""
        with self._turn:
            self._check_key(id)
            changes = self.ownership.begin()
            self._begin(id, takes_leases=True)
            self._note_trouble(id, load)
            self.ownership.take_over(id, changes)
            self._persistence.write(changes)
            return self._answer(id)

    def forget(self, id: str) -> None:
        """Drop the resources of a minion whose key was removed."""
        self.times.pop(id, None)
        self.trouble.pop(id, None)
        if id not in self._registry.minions() and id not in self.refused:
            self._leases.end(id)
            return
        with self._turn:
            changes = self.ownership.begin()
            self.ownership.fence(id)
            self.ownership.withdraw(id, set(), changes)
            self._persistence.write(changes)
            self._leases.end(id)
            self.refused.pop(id, None)
            self.trouble.pop(id, None)

    def trouble_of(self, record: Record) -> str:
        """Return the error that the minion of a resource reports for it, or for its type."""
        reported = self.trouble.get(record.minion, {})
        return str(reported.get(record.srn) or reported.get(f"{record.type}:*") or "")

    def why_reserved(self, id: str) -> str:
        """Return why this id is not available to a new minion, '' if it is."""
        found = self._registry.with_id(id)
        if not found:
            return ""
        return f"{id!r} is the id of the resource {found[0].srn} of {found[0].minion}"

    def _rules(self, id: str) -> ClaimRules:
        """Return the rules for a minion's entries."""
        below = declared_below(self._settings.pillar_key, self._pillar_of(id))
        return ClaimRules(
            minions=self._keys.known(),
            names=self._names,
            given={kind: set(map(str, listed_ids(ids))) for kind, ids in below.items()},
            allowed=claim_checks.patterns_for(self._settings.resource_acl, id),
            limit=self._settings.resources_max_per_minion,
        )

    def _check_key(self, id: str) -> None:
        """Raise WireError for a minion that was revoked while its registration waited for the lock."""
        if id not in self._keys.accepted():
            raise WireError(f"the key of {id} was revoked while it registered")

    def _begin(self, id: str, takes_leases: bool) -> None:
        if takes_leases and not self._is_shared:
            self._leases.renew(id)
        else:
            self._leases.set_unlimited(id)

    def _note_trouble(self, id: str, load: ResourcesLoad) -> None:
        self.trouble.pop(id, None)
        if trouble := load.get("trouble"):
            # A note is kept only up to the length that is reported.
            self.trouble[id] = {str(srn)[:MAX_NOTE]: str(text)[:MAX_NOTE] for srn, text in trouble.items()}

    def _take(
        self, id: str, judged: CheckedClaim, grains: Mapping[Any, Any], changes: RegistryChanges
    ) -> None:
        """Assign the granted resources to a minion, with the grains that it reports."""
        for number, srn in enumerate(judged.granted, 1):
            record = self.ownership.claim(srn, id, changes)
            if record.minion == id:
                self._keep_grains(record, grains.get(f"{srn.type}:{srn.id}"), changes)
            elif id not in record.standby:
                judged.refused[record.srn] = f"{record.minion} manages it"
            if number % SLICE == 0:
                yield_to_hub()

    def _keep_grains(self, record: Record, grains: Any, changes: RegistryChanges) -> None:
        if not isinstance(grains, dict):
            grains = {}
        if grains == record.grains:
            return
        data, size = packed_size(grains)
        if size > MAX_GRAINS:
            log.warning("%s: its grains have %d bytes; the limit is %d", record.srn, size, MAX_GRAINS)
            return
        record.grains = shared(grains, record.id)
        changes.grains[record.srn] = data

    def _report_refusals(self, id: str, refused: dict[str, str]) -> None:
        """Report the refusals unless they are unchanged; fire the refresh event if it is enabled."""
        if refused and refused != self.refused.get(id):
            first = next(iter(refused.items()))
            log.warning(
                "audit: %s may not register %d resources, among them %s: %s", id, len(refused), *first
            )
            self._bus.fire_payload(payloads.resources_refused(id, refused))
        self.refused.pop(id, None)
        if refused:
            self.refused[id] = refused
        if self._settings.minion_data_cache and self._settings.minion_data_cache_events:
            self._bus.fire_payload(payloads.resources_refreshed(id))

    def _answer(self, id: str) -> Any:
        held, waiting = self._registry.held(id), self._registry.waiting(id)
        refused = self.refused.get(id, {})
        length: float | None = self._leases.length
        if self._is_shared:
            # If resources are shared, all managers run jobs on them, and no lease ends.
            held, waiting, length = held | waiting, set(), None
        else:
            free = {record for record in held if self.ownership.is_free(record)}
            held, waiting = free, waiting | (held - free)
        return {
            "refused": refused,
            "leases": dict.fromkeys(_srns(held), length),
            "standby": list(_srns(waiting)),
            "lease": self._leases.length,
            "return_many": MANY,
            # Whether `_resource_pillars` is available.
            "pillars": True,
        }


def _srns(records: Iterable[Record]) -> Iterable[str]:
    return (record.srn for record in records)

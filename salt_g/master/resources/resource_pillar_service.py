"""Pillar of single resources for their managing minions: command `_resource_pillars`.

Permission depends on ownership, and pillar targets (`I@`) match the same compiled pillar.
`pillar/resource_top.py` selects the sources of a resource; `master/serving/pillar_service.py` compiles.
Shapes: see `resource_model/pillar_requests.py`; the answer is encrypted as pillar is. It has the resources
that a top file matches, and nothing for a resource that the minion does not hold.
Bounds: `MOST` resources in one request, one request of a minion at a time; a pillar over `MAX_SIZE` is left
out, and the cache is bounded by `MAX_KEPT`: the least recently requested is evicted first.
Units: bytes of packed pillar.
Source: resources specification, section 2.
"""

from __future__ import annotations

import logging
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Protocol

import gevent.lock

from salt_g.master.commands import FLAG, OPTIONAL_TEXT, Field, WireCommand
from salt_g.master.resources.granted_leases import GrantedLeases
from salt_g.master.resources.registry import Record, ResourceRegistry
from salt_g.master.settings import MasterResourceSettings
from salt_g.match.matchers import MinionView, Resource
from salt_g.pillar.resource_top import own_pillar
from salt_g.pillar.top import Tops
from salt_g.process.offload import yield_to_hub
from salt_g.process.secret_hiding import MARKS
from salt_g.resource_model.pillar_requests import COMMAND, MOST
from salt_g.resource_model.pillar_settings import declared_below, settings_of
from salt_g.shapes import Grains, PillarDict
from salt_g.shapes.loads import ResourcesLoad
from salt_g.wire.packing import pack
from salt_g.wire.requests import SealedRequest

log = logging.getLogger(__name__)

#: Maximum size of the pillar of one resource, and of all cached pillar of resources (bytes).
MAX_SIZE = 256 * 1024
MAX_KEPT = 32 * 1024 * 1024
_FIELDS = {
    "resources": Field((list,), required=True, max_size=MOST),
    "saltenv": OPTIONAL_TEXT,
    "pillarenv": OPTIONAL_TEXT,
    "secrets": FLAG,
}
#: Function that returns (grains, pillar) of a minion.
Known = Callable[[str], tuple[Mapping[str, Any], Mapping[str, Any]]]


class Compiling(Protocol):
    """Pillar compiler, see `master/serving/pillar_service.py`."""

    def tops_of(
        self, id: str, grains: Grains, saltenv: str | None, pillarenv: str | None
    ) -> tuple[Tops, list[str]]:
        """Return (targets of the top files read on behalf of a minion, errors in them)."""

    def of_resource(
        self, resource: Resource, tops: Tops, saltenv: str | None, pillarenv: str | None
    ) -> PillarDict:
        """Return the pillar that targets give to a resource."""

    def sealed(self, request: SealedRequest, value: Any) -> bytes:
        """Return an answer encrypted for the minion that asked."""


class ResourcePillarService:
    """Compiler and cache of pillar of resources."""

    def __init__(
        self,
        settings: MasterResourceSettings,
        registry: ResourceRegistry,
        leases: GrantedLeases,
        *,
        compiling: Compiling,
        known: Known,
    ) -> None:
        self._settings = settings
        self._registry = registry
        self._leases = leases
        self._compiling = compiling
        self._known = known
        self._locks: dict[str, Any] = {}
        #: {srn: pillar as last sent to its minion} for the resources that have their own pillar.
        self.kept: OrderedDict[str, Mapping[str, Any]] = OrderedDict()
        self._sizes: dict[str, int] = {}
        self._size = 0

    def commands(self) -> dict[str, WireCommand]:
        """Return the wire command for the pillar of resources."""
        return {COMMAND: WireCommand(self._serve, _FIELDS, seals=True)}

    def _serve(self, request: SealedRequest, load: ResourcesLoad) -> bytes:
        saltenv, pillarenv = load.get("saltenv"), load.get("pillarenv")
        names = dict.fromkeys(str(name) for name in load["resources"])
        with self._one_request_of(request.id):
            found = self._compiled(request.id, list(names), saltenv, pillarenv)
            if not load.get("secrets"):
                found = {srn: _unmarked(own) for srn, own in found.items()}
        return self._compiling.sealed(request, found)

    def _compiled(
        self, id: str, names: list[str], saltenv: str | None, pillarenv: str | None
    ) -> dict[str, Mapping[str, Any]]:
        grains, pillar = self._known(id)
        minion = MinionView(id, grains, pillar, nodegroups=self._settings.nodegroups)
        tops, errors = self._compiling.tops_of(id, grains, saltenv, pillarenv)
        if errors:
            # The errors are also in the pillar of the minion, so that its states refuse to run.
            log.error("%s: cannot compile the pillar of its resources: %s", id, "; ".join(errors))
            return {}
        found: dict[str, Mapping[str, Any]] = {}
        for name in names:
            record = self._held_by(id, name)
            if record is None:
                continue
            own = own_pillar(
                tops,
                self._resource(record, minion),
                lambda resource, named: self._compiling.of_resource(resource, named, saltenv, pillarenv),
            )
            if self._keep(record.srn, _unmarked(own), is_default=not (saltenv or pillarenv)):
                found[record.srn] = own
            yield_to_hub()
        return found

    def _held_by(self, id: str, name: str) -> Record | None:
        """Return the record of a resource if the minion may act on it now, else None.

        The minion needs a live lease and must be the resource's manager or, with `is_shared`, a standby.
        """
        record = self._registry.find(name)
        if record is None or not self._leases.is_living(id):
            return None
        is_shared = self._settings.is_shared and id in record.standby
        return record if record.minion == id or is_shared else None

    def _resource(self, record: Record, minion: MinionView) -> Resource:
        below = declared_below(self._settings.pillar_key, minion.pillar).get(record.type)
        return Resource(record.type, record.id, minion, record.grains, settings_of(below, record.id))

    def _keep(self, srn: str, own: Mapping[str, Any], *, is_default: bool) -> bool:
        """Cache the pillar of a resource; return whether there is one to send."""
        if is_default:
            self._forget(srn)
        if not own:
            return False
        size = len(pack(own))
        if size > MAX_SIZE:
            log.error("%s: its own pillar has %d bytes; the limit is %d", srn, size, MAX_SIZE)
            return False
        if is_default:
            self.kept[srn], self._sizes[srn] = own, size
            self._size += size
            while self._size > MAX_KEPT:
                self._forget(next(iter(self.kept)))
        return True

    def _forget(self, srn: str) -> None:
        self.kept.pop(srn, None)
        self._size -= self._sizes.pop(srn, 0)

    @contextmanager
    def _one_request_of(self, id: str) -> Iterator[None]:
        """Serve one request of a minion at a time; a lock exists while it is in use."""
        lock = self._locks.setdefault(id, gevent.lock.Semaphore(1))
        try:
            with lock:
                yield
        finally:
            if not lock.locked() and not lock.linkcount():
                self._locks.pop(id, None)


def _unmarked(own: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the pillar of a resource without the marks of its secrets."""
    return {key: value for key, value in own.items() if key != MARKS} if MARKS in own else own

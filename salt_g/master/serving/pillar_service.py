"""Pillar compilation for minions: command `_pillar`.

A minion's load becomes a call on the master, with the minion's id and grains and nothing else from the
minion; the result is encrypted for that minion alone.
Concurrency: minions compile in turns; a repeated request of a minion waits for its running compilation.
Encryption (RSA) is offloaded.
Source: wire specification, section 8; security properties 1 and 4.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import gevent.event

from salt_g.errors import SealBroken, WireError
from salt_g.event import payloads
from salt_g.event.bus import Bus
from salt_g.master.commands import FLAG, OPTIONAL_TEXT, Field, WireCommand
from salt_g.master.serving.hub_pillars import HubPillars, PillarRequest
from salt_g.master.serving.minion_data import MinionData
from salt_g.master.serving.pillar_cache import PillarCache
from salt_g.match.matchers import Resource
from salt_g.pillar.compiler import SelectedEnvironments
from salt_g.pillar.top import Tops
from salt_g.process import secret_hiding
from salt_g.process.offload import offload, offload_heavy
from salt_g.services.daemons import Calls
from salt_g.shapes import Grains, PillarDict, TopFile
from salt_g.shapes.loads import PillarLoad
from salt_g.wire.pillar_reply import seal_pillar
from salt_g.wire.requests import SealedRequest
from salt_g.wire.rsa import PrivateKey, PublicKey
from salt_g.wire.value_size import FEW_ENTRIES, has_few_entries

log = logging.getLogger(__name__)

#: Maximum size of a minion's pillar request (bytes), because its grains are kept in memory, where they take
#: several times as much. Some ten kilobytes are usual.
MAX_QUESTION = 8 * 1024 * 1024
#: Size (bytes) from which a native thread counts the entries of a request.
LARGE = 64 * 1024

_MAPPING = Field((dict, type(None)))
#: Fields of `_pillar`.
FIELDS: Mapping[str, Field] = {
    "grains": Field((dict,), required=True),
    "saltenv": OPTIONAL_TEXT,
    "pillarenv": OPTIONAL_TEXT,
    "pillar_override": _MAPPING,
    "extra_minion_data": _MAPPING,
    "ext": _MAPPING,
    "clean_cache": FLAG,
    "secrets": FLAG,
    "ver": Field(),
}


class _UnderWay(NamedTuple):
    """Running compilation; `outcome` is its AsyncResult."""

    wanted: PillarRequest
    outcome: Any


class PillarService:
    """Pillar compiler for minions; `minion_key` returns the accepted key of an id.

    With `reports_refresh`, an event is fired when a minion's data was stored.
    """

    def __init__(
        self,
        compiler: HubPillars,
        *,
        bus: Bus,
        data: MinionData,
        cache: PillarCache,
        master_key: PrivateKey,
        minion_key: Callable[[str], PublicKey],
        reports_refresh: bool,
    ) -> None:
        self._bus = bus
        self._data = data
        self._cache = cache
        self._master_key = master_key
        self._minion_key = minion_key
        self._under_way: dict[str, _UnderWay] = {}
        self._here = compiler
        self._reports_refresh = reports_refresh

    def use_calls(self, calls: Calls) -> None:
        """Let external pillars call runners of the master."""
        self._here.calls = calls

    def commands(self) -> dict[str, WireCommand]:
        """Return the wire command for pillar."""
        return {"_pillar": WireCommand(self._pillar, FIELDS, seals=True)}

    def compile(self, wanted: PillarRequest, *, anew: bool = False) -> PillarDict:
        """Return the pillar of a minion, with `anew` not from the cache; errors are under `_errors`."""
        if anew:
            self._cache.forget(wanted.id)
        if not wanted.is_plain:
            return self._compiled(wanted)
        # The cached pillar of a minion that was removed may still be read for a moment.
        kept = None if anew else self._cache.get(wanted.id, wanted.pillarenv)
        if kept is not None:
            return dict(kept)
        pillar = self._compiled(wanted)
        self._cache.put(wanted.id, wanted.pillarenv, pillar)
        return pillar

    def compile_for(self, id: str, grains: Grains, **options: Any) -> PillarDict:
        """Return the pillar of any minion, compiled now; see `services.daemons.MinionPillars`."""
        pillar = self._here.compile_for(id, grains, **options)
        secret_hiding.learn_from(pillar)
        return pillar

    def top_for(self, id: str, grains: Grains, saltenv: str) -> tuple[TopFile, list[str]]:
        """Return (the merged top file, its errors); see `services.daemons.MinionPillars`."""
        return self._here.top_for(id, grains, saltenv)

    def tops_of(
        self, id: str, grains: Grains, saltenv: str | None, pillarenv: str | None
    ) -> tuple[Tops, list[str]]:
        """Return (targets in the top files as read for a minion, errors in them)."""
        with self._here.place_of(PillarRequest(id, {**grains, "id": id})) as compiler:
            return compiler.top(saltenv, pillarenv)

    def of_resource(
        self, resource: Resource, tops: Tops, saltenv: str | None, pillarenv: str | None
    ) -> PillarDict:
        """Return the pillar of a resource from targets of top files, compiled now with its id and grains.

        The secrets in it are marked.
        """
        wanted = PillarRequest(resource.id, {**resource.grains, "id": resource.id})
        with self._here.place_of(wanted, SelectedEnvironments(resource, tops)) as compiler:
            return compiler.compile(saltenv=saltenv, pillarenv=pillarenv, earlier={})

    def sealed(self, request: SealedRequest, value: Any) -> bytes:
        """Return an answer encrypted for the minion that asked."""
        return offload(seal_pillar, request, value, self._minion_key(request.id), self._master_key)

    def kept(self, id: str, pillarenv: str | None) -> Mapping[str, Any] | None:
        """Return the cached pillar of a minion (`pillar_cache`), or None if there is none."""
        return self._cache.get(id, pillarenv)

    def forget(self, id: str) -> None:
        """Drop the cached pillar of a minion."""
        self._cache.forget(id)

    def _compiled(self, wanted: PillarRequest) -> PillarDict:
        """Return pillar for a minion, compiled now."""
        return self._here.compiled(wanted)

    def _pillar(self, request: SealedRequest, load: PillarLoad) -> bytes:
        if request.size > MAX_QUESTION:
            raise WireError(
                f"{request.id}: pillar request with {request.size} bytes of grains and overrides;"
                f" at most {MAX_QUESTION} are allowed"
            )
        if not offload_heavy(request.size < LARGE, has_few_entries, has_few_entries, load):
            raise WireError(f"{request.id}: more than {FEW_ENTRIES} entries in its pillar request")
        wanted = PillarRequest.from_load(request.id, load)
        key = self._minion_key(request.id)
        pillar = self._shared(wanted, anew=bool(load.get("clean_cache")))
        if self._minion_key(request.id) != key:
            # The key was revoked meanwhile and the minion's data forgotten; storing this pillar now would
            # give it to the next owner of the id.
            raise SealBroken(f"the key of {request.id} was replaced while its pillar was compiled")
        plain = {key: value for key, value in pillar.items() if key != secret_hiding.MARKS}
        # Pillar with overrides is not stored, because they could make a minion match the pillar target of a
        # permission.
        self._data.put(request.id, wanted.grains, plain if wanted.is_plain else None)
        if self._reports_refresh:
            self._bus.fire_payload(payloads.minion_refreshed(request.id))
        # Stock's minions, which do not ask for the marks, would show them as pillar.
        return self.sealed(request, pillar if load.get("secrets") else plain)

    def _shared(self, wanted: PillarRequest, *, anew: bool) -> PillarDict:
        """Compile, or wait for a running compilation of the same request."""
        current = self._under_way.get(wanted.id)
        if current is not None and current.wanted == wanted:
            return dict(current.outcome.get())
        current = _UnderWay(wanted, gevent.event.AsyncResult())
        self._under_way[wanted.id] = current
        try:
            pillar = self.compile(wanted, anew=anew)
        except BaseException as exc:
            current.outcome.set_exception(exc)
            raise
        finally:
            if self._under_way.get(wanted.id) is current:
                del self._under_way[wanted.id]
        current.outcome.set(pillar)
        return pillar


class KnownMinions:
    """Look-up of minions' grains and pillar: cached data, or else a pillar compiled now."""

    def __init__(self, data: MinionData, pillars: PillarService) -> None:
        self._data = data
        self._pillars = pillars

    def data_of(self, id: str) -> tuple[Mapping[str, Any], Mapping[str, Any]]:
        """Return (grains, pillar) of a minion; compile its pillar if no data of it is cached."""
        grains: Mapping[str, Any] = {"id": id}
        return self._data.get(id) or (grains, self._pillars.compile_for(id, grains))

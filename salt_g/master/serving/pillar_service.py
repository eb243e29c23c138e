"""Compile pillar for minions: the command `_pillar`.

Why its own file: one duty of the master. Here a minion's load becomes a call in the master's place, with
the minion's id, grains and nothing else of its own; what it makes goes back sealed for that minion alone.
Concurrency: minions compile side by side; a minion that asks again while its pillar is being made waits
for that one. Sealing (RSA) is offloaded.
Source: wire specification, section 8; security properties 1 and 4.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from typing import Any, NamedTuple

import gevent.event

from salt_g.errors import SealBroken, WireError
from salt_g.event import payloads
from salt_g.event.bus import Bus
from salt_g.loader import Loader
from salt_g.local_call import pillar_call
from salt_g.master.commands import FLAG, OPTIONAL_TEXT, Field, WireCommand
from salt_g.master.serving.minion_data import MinionData
from salt_g.master.serving.pillar_cache import PillarCache
from salt_g.match.matchers import Resource
from salt_g.pillar.compiler import Compiler, SelectedEnvironments
from salt_g.pillar.top import Target, Tops
from salt_g.process.offload import offload, offload_heavy
from salt_g.shapes import Opts
from salt_g.wire.pillar_reply import seal_pillar
from salt_g.wire.requests import SealedRequest
from salt_g.wire.rsa import PrivateKey, PublicKey
from salt_g.wire.value_size import FEW_ENTRIES, has_few_entries

log = logging.getLogger(__name__)

#: How long loaded plugins are used before changes of their files are looked for (s).
PLUGINS_AGE = 5.0
#: Largest question of a minion for its pillar (bytes): its grains are kept in memory, where they take several
#: times as much. Usual are some ten kilobytes.
MAX_QUESTION = 8 * 1024 * 1024
#: From this size on (bytes) a native thread counts what is in a question.
LARGE = 64 * 1024
#: How a target of a top file is read that says nothing else.
DEFAULT_TYPE = "compound"

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
    "ver": Field(),
}


class PillarRequest(NamedTuple):
    """What a minion wants: its pillar, perhaps of one environment, perhaps with values of its own."""

    id: str
    grains: dict[str, Any]
    saltenv: str | None = None
    pillarenv: str | None = None
    override: dict[str, Any] = {}
    extra_minion_data: dict[str, Any] = {}
    ext: dict[str, Any] | None = None

    @classmethod
    def from_load(cls, id: str, load: Mapping[str, Any]) -> PillarRequest:
        """Return what the load of `_pillar` asks for; grains say whose they are."""
        return cls(
            id,
            {**load["grains"], "id": id},
            load.get("saltenv"),
            load.get("pillarenv"),
            load.get("pillar_override") or {},
            load.get("extra_minion_data") or {},
            load.get("ext"),
        )

    @property
    def is_plain(self) -> bool:
        """Whether nothing but the master's own sources go into it."""
        return not self.override and not self.ext and not self.extra_minion_data


class _UnderWay(NamedTuple):
    """A compilation that has begun; `outcome` is an AsyncResult of it."""

    wanted: PillarRequest
    outcome: Any


class PillarService:
    """Makes pillar; `minion_key` gives the accepted key of an id."""

    def __init__(
        self,
        opts: Opts,
        *,
        bus: Bus,
        data: MinionData,
        cache: PillarCache,
        master_key: PrivateKey,
        minion_key: Callable[[str], PublicKey],
    ) -> None:
        self._opts = opts
        self._bus = bus
        self._data = data
        self._cache = cache
        self._master_key = master_key
        self._minion_key = minion_key
        self._under_way: dict[str, _UnderWay] = {}
        self._loader: Loader | None = None
        self._loaded = 0.0

    def commands(self) -> dict[str, WireCommand]:
        """Return the command of this duty."""
        return {"_pillar": WireCommand(self._pillar, FIELDS, seals=True)}

    def compile(self, wanted: PillarRequest, *, anew: bool = False) -> dict[str, Any]:
        """Return the pillar of a minion; problems stand under `_errors`."""
        if anew:
            self._cache.forget(wanted.id)
        if not wanted.is_plain:
            return self._compiled(wanted)
        # What is being removed may still be read for a moment.
        kept = None if anew else self._cache.get(wanted.id, wanted.pillarenv)
        if kept is not None:
            return dict(kept)
        pillar = self._compiled(wanted)
        self._cache.put(wanted.id, wanted.pillarenv, pillar)
        return pillar

    def compile_for(self, id: str, grains: Mapping[str, Any], **options: Any) -> dict[str, Any]:
        """Return the pillar of any minion, compiled now; see `fleet.MinionPillars`."""
        return self._compiled(PillarRequest(id, {**grains, "id": id}, **options))

    def top_for(self, id: str, grains: Mapping[str, Any], saltenv: str) -> tuple[dict[str, Any], list[str]]:
        """Return (the merged top file, what is wrong with it); see `fleet.MinionPillars`."""
        with _place_of(self._opts, PillarRequest(id, {**grains, "id": id}), self._plugins()) as compiler:
            tops, errors = compiler.top(saltenv)
        written = {
            env: {tgt: _as_written(target) for tgt, target in targets.items()}
            for env, targets in tops.items()
        }
        return written, errors

    def tops_of(
        self, id: str, grains: Mapping[str, Any], saltenv: str | None, pillarenv: str | None
    ) -> tuple[Tops, list[str]]:
        """Return (the targets of the top files, read in the place of a minion, what is wrong with them)."""
        with _place_of(self._opts, PillarRequest(id, {**grains, "id": id}), self._plugins()) as compiler:
            return compiler.top(saltenv, pillarenv)

    def of_resource(
        self, resource: Resource, tops: Tops, saltenv: str | None, pillarenv: str | None
    ) -> dict[str, Any]:
        """Return what targets of top files give to a resource, compiled now with its id and its grains."""
        wanted = PillarRequest(resource.id, {**resource.grains, "id": resource.id})
        with _place_of(self._opts, wanted, self._plugins(), SelectedEnvironments(resource, tops)) as compiler:
            return compiler.compile(saltenv=saltenv, pillarenv=pillarenv, earlier={})

    def sealed(self, request: SealedRequest, value: Any) -> bytes:
        """Return an answer that only the minion that asked can read."""
        return offload(seal_pillar, request, value, self._minion_key(request.id), self._master_key)

    def kept(self, id: str, pillarenv: str | None) -> Mapping[str, Any] | None:
        """Return the pillar that is kept of a minion (`pillar_cache`), None when there is none."""
        return self._cache.get(id, pillarenv)

    def forget(self, id: str) -> None:
        """Compile the pillar of a minion anew next time."""
        self._cache.forget(id)

    def _compiled(self, wanted: PillarRequest) -> dict[str, Any]:
        """Return pillar compiled now, in the master's place, for a minion."""
        with _place_of(self._opts, wanted, self._plugins()) as compiler:
            return compiler.compile(
                saltenv=wanted.saltenv,
                pillarenv=wanted.pillarenv,
                override=wanted.override,
                ext=wanted.ext,
                earlier={},
            )

    def _plugins(self) -> Loader:
        """Return the plugins that templates call; many minions share them, changed ones are seen soon."""
        now = time.monotonic()
        if self._loader is None or now - self._loaded > PLUGINS_AGE:
            self._loader, self._loaded = Loader({**self._opts, "file_client": "local"}), now
        return self._loader

    def _pillar(self, request: SealedRequest, load: dict[str, Any]) -> bytes:
        if request.size > MAX_QUESTION:
            raise WireError(
                f"{request.id}: asks for its pillar with {request.size} bytes of grains and overrides;"
                f" at most {MAX_QUESTION} are taken"
            )
        if not offload_heavy(request.size < LARGE, has_few_entries, has_few_entries, load):
            raise WireError(f"{request.id}: more than {FEW_ENTRIES} entries in its question for its pillar")
        wanted = PillarRequest.from_load(request.id, load)
        key = self._minion_key(request.id)
        pillar = self._shared(wanted, anew=bool(load.get("clean_cache")))
        if self._minion_key(request.id) != key:
            # It was cut off meanwhile, and what was known of it is forgotten: this would be the next one's.
            raise SealBroken(f"the key of {request.id} was replaced while its pillar was made")
        # What a minion puts over its pillar must not select it where pillar gives rights.
        self._data.put(request.id, wanted.grains, pillar if wanted.is_plain else None)
        if self._opts.get("minion_data_cache") and self._opts.get("minion_data_cache_events"):
            self._bus.fire_draft(payloads.minion_refreshed(request.id))
        return self.sealed(request, pillar)

    def _shared(self, wanted: PillarRequest, *, anew: bool) -> dict[str, Any]:
        """Compile, or wait for a compilation of the same that is under way."""
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


def _place_of(
    opts: Opts, wanted: PillarRequest, plugins: Loader, chosen: SelectedEnvironments | None = None
) -> AbstractContextManager[Compiler]:
    """Enter a call on the master that is about a minion or a resource; give the compiler of its pillar."""
    return pillar_call(
        {**opts, "id": wanted.id},
        wanted.grains,
        plugins,
        extra_minion_data=wanted.extra_minion_data,
        chosen=chosen,
    )


def _as_written(target: Target) -> list[Any]:
    """Return the SLS of a target as a top file has them, with what is not the default."""
    options = {"match": target.tgt_type} if target.tgt_type != DEFAULT_TYPE else {}
    return [*([options] if options else []), *target.names]

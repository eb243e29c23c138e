"""The resources of the registry as members that a target chooses from.

Why its own file: between the registry and the matchers. A plain name costs two look-ups, an expression
with a type looks at that type only, everything else at each resource, in slices.
Errors: TargetError for a bare id of several types.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Protocol

from salt_g.keys.store import KeyStore
from salt_g.master.resources.registry import Record, Registry
from salt_g.match.compound import Part, Predicate
from salt_g.match.matchers import Minion, Resource
from salt_g.match.resource import is_glob
from salt_g.process.offload import yield_to_hub
from salt_g.resource_model.pillar_settings import declared, settings_of

#: Resources that are looked at before others have their turn: some 5 ms.
_SLICE = 2000
_NOTHING: Mapping[str, Any] = {}

OwnPillars = Mapping[str, Mapping[str, Any]]


class MinionOf(Protocol):
    """Gives what matchers know of a minion, None when nothing is known and `greedy` is off."""

    def __call__(self, id: str, *, greedy: bool = True) -> Minion | None:
        """Return it."""


class ResourceTargeting:
    """The resources that targets can mean: those of minions with an accepted key."""

    def __init__(self, registry: Registry, keys: KeyStore, *, opts: Mapping[str, Any]) -> None:
        self._registry = registry
        self._keys = keys
        self._opts = opts
        self.name_of: Callable[[Record], str] = registry.name_of
        #: {srn: pillar} that the master has made for single resources.
        self.own_pillars: OwnPillars = {}

    def is_empty(self) -> bool:
        """Return whether there is no resource at all."""
        return not len(self._registry)

    def listed(self, names: Iterable[str]) -> dict[str, Record]:
        """Return the resources of a list, by the names in it."""
        accepted = self._keys.accepted()
        found = ((name, self._registry.named(name)) for name in names)
        return {name: record for name, record in found if record is not None and record.minion in accepted}

    def settings(self, record: Record, minion: Minion) -> Mapping[str, Any]:
        """Return what pillar holds for a resource alone: its own, and its settings in its minion's."""
        below = declared(minion.pillar, self._opts).get(record.type)
        return _settings(below, record, self.own_pillars)

    def meant(
        self, part: Part, tgt: Any, tgt_type: str, minion_of: MinionOf, *, greedy: bool
    ) -> list[Record]:
        """Return the resources that a target means; `part` is the target, read once."""
        if tgt_type == "glob" and not is_glob(str(tgt)):
            return list(self.listed([str(tgt)]).values())
        minions = _Minions(self._keys.accepted(), minion_of, greedy, self._opts)
        found: list[Record] = []
        for kind in self._registry.types() if part.types is None else sorted(part.types):
            records = self._registry.of_type(kind)
            for start in range(0, len(records), _SLICE):
                found += _meant_of(
                    records[start : start + _SLICE], kind, part.matches, minions, self.own_pillars
                )
                yield_to_hub()
        return found


class _Minions:
    """The minions of one question, each looked up once."""

    def __init__(
        self, accepted: frozenset[str], minion_of: MinionOf, greedy: bool, opts: Mapping[str, Any]
    ) -> None:
        self._accepted = accepted
        self._minion_of = minion_of
        self._greedy = greedy
        self._opts = opts
        self._known: dict[str, Minion | None] = {}
        self._settings: dict[tuple[str, str], Mapping[str, Any]] = {}

    def get(self, id: str, kind: str) -> tuple[Minion | None, Mapping[str, Any]]:
        """Return (a minion, its pillar of one type where that has settings); None without an accepted key."""
        if id not in self._known:
            known = self._minion_of(id, greedy=self._greedy) or Minion(id)
            self._known[id] = known if id in self._accepted else None
        minion = self._known[id]
        if minion is not None and (id, kind) not in self._settings:
            below = declared(minion.pillar, self._opts).get(kind)
            # Most types have no settings at all, and are not asked for those of each id.
            has_settings = isinstance(below, Mapping) and bool(below.get("hosts"))
            self._settings[id, kind] = below if has_settings and below is not None else _NOTHING
        return minion, self._settings.get((id, kind), _NOTHING)


def _meant_of(
    records: list[Record], kind: str, is_match: Predicate, minions: _Minions, own_pillars: OwnPillars
) -> list[Record]:
    """Return those of a type that are meant; most are of the minion of the one before."""
    found = []
    id: str | None = None
    minion: Minion | None = None
    settings = _NOTHING
    for record in records:
        if record.minion is not id:
            id = record.minion
            minion, settings = minions.get(id, kind)
        if minion is None:
            continue
        own = _settings(settings, record, own_pillars) if settings or own_pillars else _NOTHING
        if is_match(Resource(kind, record.id, minion, record.grains, own), False):
            found.append(record)
    return found


def _settings(below: Any, record: Record, own_pillars: OwnPillars) -> Mapping[str, Any]:
    settings = settings_of(below, record.id) if below else _NOTHING
    own = own_pillars.get(record.srn)
    return {**own, **settings} if own else settings

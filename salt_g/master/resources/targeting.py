"""Target matching over the resources of the registry.

Connects the registry with the matchers. A plain name costs two look-ups, an expression with a type examines
that type only, and any other one examines each resource, in slices.
Errors: TargetError for a bare id of several types.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Protocol

from salt_g.keys.files import KeyFiles
from salt_g.master.resources.registry import Record, ResourceRegistry
from salt_g.match.compound import Part, Predicate
from salt_g.match.matchers import MinionView, Resource
from salt_g.match.resource import is_glob
from salt_g.process.offload import yield_to_hub
from salt_g.resource_model.pillar_settings import declared_below, settings_of

#: Resources examined between two yields to other greenlets: some 5 ms.
_SLICE = 2000
_NOTHING: Mapping[str, Any] = {}

OwnPillars = Mapping[str, Mapping[str, Any]]


class MinionOf(Protocol):
    """Look-up of a minion's data for matchers, None if there is no data and `greedy` is off."""

    def __call__(self, id: str, *, greedy: bool = True) -> MinionView | None:
        """Return the data of a minion."""


class ResourceTargeting:
    """Resources that targets can match: those of minions with an accepted key."""

    def __init__(
        self, registry: ResourceRegistry, keys: KeyFiles, *, pillar_key: str, own_pillars: OwnPillars
    ) -> None:
        """Initialize; `pillar_key` is the key of resources in minions' pillar.

        `own_pillars` is {srn: pillar} compiled by the master for single resources.
        """
        self._registry = registry
        self._keys = keys
        self._pillar_key = pillar_key
        self.name_of: Callable[[Record], str] = registry.name_of
        self._own_pillars = own_pillars

    def is_empty(self) -> bool:
        """Return whether there are no resources."""
        return not len(self._registry)

    def listed(self, names: Iterable[str]) -> dict[str, Record]:
        """Return {name: resource} for the names in a list target."""
        accepted = self._keys.accepted()
        found = ((name, self._registry.named(name)) for name in names)
        return {name: record for name, record in found if record is not None and record.minion in accepted}

    def settings(self, record: Record, minion: MinionView) -> Mapping[str, Any]:
        """Return the pillar of one resource: its own, and its settings in the minion's pillar."""
        below = declared_below(self._pillar_key, minion.pillar).get(record.type)
        return _settings(below, record, self._own_pillars)

    def matching(
        self, part: Part, tgt: Any, tgt_type: str, minion_of: MinionOf, *, greedy: bool
    ) -> list[Record]:
        """Return the matching resources; `part` is the parsed target."""
        if tgt_type == "glob" and not is_glob(str(tgt)):
            return list(self.listed([str(tgt)]).values())
        minions = _Minions(self._keys.accepted(), minion_of, greedy, self._pillar_key)
        found: list[Record] = []
        for kind in self._registry.types() if part.types is None else sorted(part.types):
            records = self._registry.of_type(kind)
            for start in range(0, len(records), _SLICE):
                found += _matching_of(
                    records[start : start + _SLICE], kind, part.matches, minions, self._own_pillars
                )
                yield_to_hub()
        return found


class _Minions:
    """Minions of one query, each looked up once."""

    def __init__(self, accepted: frozenset[str], minion_of: MinionOf, greedy: bool, pillar_key: str) -> None:
        self._accepted = accepted
        self._minion_of = minion_of
        self._greedy = greedy
        self._pillar_key = pillar_key
        self._known: dict[str, MinionView | None] = {}
        self._settings: dict[tuple[str, str], Mapping[str, Any]] = {}

    def get(self, id: str, kind: str) -> tuple[MinionView | None, Mapping[str, Any]]:
        """Return (a minion, its pillar settings for one type); the minion is None without an accepted key."""
        if id not in self._known:
            known = self._minion_of(id, greedy=self._greedy) or MinionView(id)
            self._known[id] = known if id in self._accepted else None
        minion = self._known[id]
        if minion is not None and (id, kind) not in self._settings:
            below = declared_below(self._pillar_key, minion.pillar).get(kind)
            # Most types have no settings at all, so their ids are not looked up.
            has_settings = isinstance(below, Mapping) and bool(below.get("hosts"))
            self._settings[id, kind] = below if has_settings and below is not None else _NOTHING
        return minion, self._settings.get((id, kind), _NOTHING)


def _matching_of(
    records: list[Record], kind: str, is_match: Predicate, minions: _Minions, own_pillars: OwnPillars
) -> list[Record]:
    """Return the matching resources of a type; consecutive ones mostly share one look-up of their minion."""
    found = []
    id: str | None = None
    minion: MinionView | None = None
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

"""The resources of the registry as members that a target chooses from.

Why its own file: between the registry and the matchers. A plain name costs two look-ups, an expression
with a type looks at that type only, everything else at each resource, in slices.
Shapes: results are {SRN or name as it was written: Record}.
Errors: TargetError for a bare id of several types.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Protocol

from salt_g.keys.store import KeyStore
from salt_g.master.resources.registry import Record, Registry
from salt_g.match.compound import Part
from salt_g.match.matchers import Minion, Resource
from salt_g.match.resource import is_glob
from salt_g.offload import breathe

#: Resources that are looked at before others have their turn: some 5 ms.
_SLICE = 2000
_NOTHING: Mapping[str, Any] = {}


class MinionOf(Protocol):
    """Gives what matchers know of a minion, None when nothing is known and `greedy` is off."""

    def __call__(self, id: str, *, greedy: bool = True) -> Minion | None:
        """Return it."""


class Members:
    """The resources that targets can mean: those of minions with an accepted key."""

    def __init__(self, registry: Registry, keys: KeyStore, *, pillar_key: str) -> None:
        self._registry = registry
        self._keys = keys
        self._pillar_key = pillar_key or "resources"
        self.name_of: Callable[[Record], str] = registry.name_of

    def is_empty(self) -> bool:
        """Return whether there is no resource at all."""
        return not len(self._registry)

    def listed(self, names: Iterable[str]) -> dict[str, Record]:
        """Return the resources of a list, by the names in it."""
        accepted = self._keys.accepted()
        found = ((name, self._registry.named(name)) for name in names)
        return {name: record for name, record in found if record is not None and record.minion in accepted}

    def meant(
        self, part: Part, tgt: Any, tgt_type: str, minion_of: MinionOf, *, greedy: bool
    ) -> dict[str, Record]:
        """Return the resources that a target means; `part` is the target, read once."""
        if tgt_type == "glob" and not is_glob(str(tgt)):
            return self.listed([str(tgt)])
        ask = part.ask
        return {
            record.srn: record
            for record, member in self._members(part.types, minion_of, greedy)
            if ask(member, False)
        }

    def _members(
        self, types: frozenset[str] | None, minion_of: MinionOf, greedy: bool
    ) -> Iterator[tuple[Record, Resource]]:
        """Yield the resources of these types, and let others have their turn from time to time."""
        accepted = self._keys.accepted()
        minions: dict[str, Minion] = {}
        number = 0
        for kind in self._registry.types() if types is None else sorted(types):
            settings: dict[str, Mapping[str, Any]] = {}
            for record in self._registry.of_type(kind):
                id = record.minion
                if id not in accepted:
                    continue
                if id not in minions:
                    minions[id] = minion_of(id, greedy=greedy) or Minion(id)
                if id not in settings:
                    settings[id] = self._settings(minions[id], kind)
                own = settings[id].get(record.id) if settings[id] else None
                yield record, Resource(kind, record.id, minions[id], record.grains, own or _NOTHING)
                number += 1
                if number % _SLICE == 0:
                    breathe()

    def _settings(self, minion: Minion, kind: str) -> Mapping[str, Any]:
        """Return {id: settings} of one type in the pillar of a minion."""
        found: Any = minion.pillar
        for key in (self._pillar_key, kind, "hosts"):
            found = found.get(key) if isinstance(found, Mapping) else None
        return found if isinstance(found, Mapping) else _NOTHING

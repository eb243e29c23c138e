"""Resolution of a target to accepted minions and resources.

Clients wait for these ids, returns are checked against them, and permissions and previews use the same
resolution. In the end each minion decides for itself, with the same matchers.
Shapes: ids are sorted, resources follow minions. `missing` are ids named by a list, also one in a compound
target or nodegroup, that are neither a minion with an accepted key nor a resource.
Errors: TargetError for an unknown target type.
Source: wire specification, section 12.
"""

from __future__ import annotations

import fnmatch
from collections.abc import Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from typing import Any, NamedTuple, Protocol

from salt_g.data.nested import DELIMITER
from salt_g.errors import TargetError
from salt_g.keys.files import KeyFiles
from salt_g.loader.part_plugins import PartPlugins
from salt_g.master.publishing.data_columns import DataColumns
from salt_g.master.resources.registry import Record
from salt_g.master.resources.targeting import ResourceTargeting
from salt_g.master.settings import TargetSettings
from salt_g.match.compound import check_compound, criteria
from salt_g.match.matchers import TYPES, MinionView, Resource, matches, parse_target
from salt_g.match.single import match_single
from salt_g.process.offload import in_slices

#: Target types decided by the id alone.
_BY_ID = frozenset(("glob", "list", "pcre", "managing_minion"))


class CachedMinionData(Protocol):
    """Interface to the master's data about each minion, see `minion_data.py`."""

    def get(self, id: str) -> tuple[Mapping[str, Any], Mapping[str, Any]] | None:
        """Return (grains, pillar) of a minion, or None if no data of it is cached."""


class ResolvedTarget(NamedTuple):
    """Minions and resources that a target matches; `minions` includes the names of `resources`."""

    minions: list[str]
    missing: list[str] = []
    resources: Mapping[str, Record] = {}

    @property
    def served_by(self) -> list[str]:
        """Minions that receive the job: matching ones, and the managers of matching resources."""
        own = [name for name in self.minions if name not in self.resources]
        managers = {id for record in self.resources.values() for id in record.managers}
        return sorted(managers.union(own)) if managers else own


class TargetResolution:
    """Resolver of targets over the accepted keys."""

    def __init__(
        self,
        settings: TargetSettings,
        keys: KeyFiles,
        minion_data: CachedMinionData,
        resources: ResourceTargeting | None = None,
        *,
        matchers: PartPlugins | None = None,
        columns: DataColumns | None = None,
    ) -> None:
        """Initialize; without `columns`, each target on data examines every minion."""
        self._matchers = matchers
        self._columns = columns
        self._resources = resources
        self._nodegroups = settings.nodegroups
        self._range_server = settings.range_server
        self._keys = keys
        self._data = minion_data
        self._accepted: frozenset[str] = frozenset()
        self._in_order: list[str] = []

    def resolve(
        self, tgt: Any, tgt_type: str = "glob", *, delimiter: str = DELIMITER, greedy: bool = True
    ) -> ResolvedTarget:
        """Return the matching minions; with `greedy`, minions without data match as well."""
        if tgt_type not in TYPES:
            return self._by_plugin(tgt, tgt_type, greedy=greedy)
        if tgt_type == "list":
            return _listed(tgt, self._keys.accepted())
        ids = self._sorted_ids()
        if tgt_type == "glob":
            return ResolvedTarget(_matching(ids, tgt))
        selected = self._selected(ids, tgt, tgt_type, delimiter=delimiter, greedy=greedy)
        return ResolvedTarget(selected, self._listed_in(tgt, tgt_type))

    def resolve_all(
        self, tgt: Any, tgt_type: str = "glob", *, delimiter: str = DELIMITER, greedy: bool = True
    ) -> ResolvedTarget:
        """Return the matching minions and resources; raise TargetError for an ambiguous id or a bad word."""
        if tgt_type not in TYPES:
            return self.resolve(tgt, tgt_type, greedy=greedy)
        part = parse_target(tgt, tgt_type, nodegroups=self._nodegroups, delimiter=delimiter)
        resolved = ResolvedTarget([])
        if not part.is_of_resources:
            resolved = self.resolve(tgt, tgt_type, delimiter=delimiter, greedy=greedy)
        if (
            self._resources is None
            or self._resources.is_empty()
            or (tgt_type == "glob" and tgt in resolved.minions)
        ):
            return resolved
        listed = self._resources.listed(resolved.missing)
        resolved = resolved._replace(missing=[name for name in resolved.missing if name not in listed])
        if tgt_type == "list":
            found = list(listed.values())
        else:
            found = self._resources.matching(part, tgt, tgt_type, self.minion, greedy=greedy)
            if found:
                self._check_words(tgt, tgt_type)
        name_of = self._resources.name_of
        names = {name_of(record): record for record in found}
        return ResolvedTarget([*resolved.minions, *sorted(names)], resolved.missing, names)

    def resource(self, record: Record) -> Resource:
        """Return the data of a resource for matchers."""
        minion = self.minion(record.minion) or MinionView(record.minion)
        settings = {} if self._resources is None else self._resources.settings(record, minion)
        return Resource(record.type, record.id, minion, record.grains, settings)

    def minion(self, id: str, *, greedy: bool = True) -> MinionView | None:
        """Return the data of a minion for matchers, or None if there are none and `greedy` is off."""
        found = self._data.get(id)
        if found is None and not greedy:
            return None
        grains, pillar = found or ({}, {})
        return MinionView(
            id,
            grains,
            pillar,
            self._nodegroups,
            range_server=self._range_server,
            is_unknown=found is None,
        )

    def _selected(
        self, ids: list[str], tgt: Any, tgt_type: str, *, delimiter: str, greedy: bool
    ) -> list[str]:
        """Return the accepted ids that match a target, evaluated criterion by criterion."""
        part = parse_target(tgt, tgt_type, nodegroups=self._nodegroups, delimiter=delimiter)
        found: AbstractSet[str]
        among: AbstractSet[str] = self._accepted
        if not greedy and tgt_type not in _BY_ID:
            among = {minion.id for minion in in_slices(self._known(ids, greedy=False))}
        try:
            found = part.select(self._chosen, among)
        except TargetError:
            if tgt_type not in ("compound", "nodegroup"):
                raise
            # One criterion cannot be decided, but the others may be enough, so each minion is matched by
            # itself.
            minions = self._known([id for id in ids if id in among], greedy=True)
            found = {m.id for m in in_slices(minions) if matches(tgt, tgt_type, m, delimiter=delimiter)}
        if found:
            self._check_words(tgt, tgt_type)
        return [id for id in ids if id in found]

    def _listed_in(self, tgt: Any, tgt_type: str) -> list[str]:
        """Return the ids in lists (`L@`) of a compound target or nodegroup that have no accepted key."""
        if tgt_type not in ("compound", "nodegroup"):
            return []
        try:
            words = criteria(tgt if tgt_type == "compound" else [f"N@{tgt}"], self._nodegroups)
        except TargetError:
            return []  # A malformed expression selects nobody.
        lists = (_listed(word[2:], self._accepted).missing for word in words if word.startswith("L@"))
        return list(dict.fromkeys(name for names in lists for name in names))

    def _check_words(self, tgt: Any, tgt_type: str) -> None:
        """Raise TargetError for words of a compound target that select minions without being criteria."""
        if tgt_type in ("compound", "nodegroup"):
            check_compound(tgt if tgt_type == "compound" else [f"N@{tgt}"], self._nodegroups)

    def _chosen(self, tgt: Any, tgt_type: str, delimiter: str, among: AbstractSet[str]) -> AbstractSet[str]:
        """Return the ids in `among` that match one criterion."""
        if tgt_type == "glob":
            return frozenset(_matching(list(among), tgt))
        if tgt_type in _BY_ID:
            minions: Iterable[MinionView] = map(MinionView, among)
        else:
            found = None
            if self._columns is not None:
                found = self._columns.matching(tgt, tgt_type, self._accepted, delimiter=delimiter)
            if found is not None:
                return found & among
            minions = self._known(among, greedy=True)
        return {m.id for m in in_slices(minions) if match_single(tgt, tgt_type, m, delimiter=delimiter)}

    def _by_plugin(self, tgt: Any, tgt_type: str, *, greedy: bool) -> ResolvedTarget:
        """Return the minions selected by the master's copy of a users' matcher."""
        name = f"{tgt_type}_match.match"
        if self._matchers is None or not self._matchers.has(name):
            raise TargetError(
                f"target type {tgt_type!r} does not exist; known: {', '.join(sorted(TYPES))}; a custom "
                f"matcher must also be on the master (salt-g run saltutil.sync_matchers)"
            )
        try:
            return ResolvedTarget(
                [
                    m.id
                    for m in in_slices(self._known(self._sorted_ids(), greedy=greedy))
                    if m.is_unknown or self._matchers.call_about(m.id, m.grains, m.pillar, name, tgt)
                ]
            )
        except Exception as exc:  # a plugin call
            raise TargetError(f"target type {tgt_type!r}: its matcher failed: {exc}") from exc

    def _sorted_ids(self) -> list[str]:
        """Return the ids with an accepted key; sorted once for each change."""
        accepted = self._keys.accepted()
        if accepted is not self._accepted:
            self._accepted, self._in_order = accepted, sorted(accepted)
        return self._in_order

    def _known(self, ids: Iterable[str], *, greedy: bool) -> Iterator[MinionView]:
        for id in ids:
            minion = self.minion(id, greedy=greedy)
            if minion is not None:
                yield minion


def _matching(ids: list[str], glob: Any) -> list[str]:
    """Return the ids that match a glob, by the same rules as `match_glob`."""
    if glob == "*":
        return ids.copy()
    return fnmatch.filter(ids, glob) if isinstance(glob, str) else []


def _listed(tgt: Any, accepted: frozenset[str]) -> ResolvedTarget:
    if not isinstance(tgt, (str, list, tuple)):
        raise TargetError(f"a list target must be text or a list, not {type(tgt).__name__}")
    names = tgt.split(",") if isinstance(tgt, str) else [str(name) for name in tgt]
    wanted = dict.fromkeys(name.strip() for name in names)
    return ResolvedTarget(
        sorted(name for name in wanted if name in accepted),
        [name for name in wanted if name and name not in accepted],
    )

"""Returns of minions for resources, mapped to the name of the resource.

Checks whether a minion may answer for a resource, values in and values out.
Shapes: in: the load of a `_return` with `resource_id` (a bare id or an SRN); out: the same load with the name
of the resource as `id`, without `resource_id`, with `minion` and `srn` added.
Source: resources specification, section 10.1; security property 3.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from salt_g.master.resources.registry import Record, ResourceRegistry
from salt_g.shapes.loads import ReturnLoad


class BeforeRemapping(NamedTuple):
    """Former manager of a moved resource; `jid`, generated at the move, is newer than its jobs."""

    minion: str
    jid: str


class Remapping:
    """Mapping of returns to the resources that a minion may answer for."""

    def __init__(
        self,
        registry: ResourceRegistry,
        moved: Mapping[str, BeforeRemapping],
        *,
        is_shared: bool = False,
        answers_apart: Callable[[str], bool] = lambda minion: False,
    ) -> None:
        """Initialize; `moved` maps SRNs to former managers; with `is_shared` all managers act on a resource.

        `answers_apart` returns whether a minion answers for each resource separately.
        """
        self._answers_apart = answers_apart
        self._registry = registry
        self._moved = moved
        self._is_shared = is_shared

    def may_fold(self, minion: str) -> bool:
        """Return whether a minion may include the results of its resources in its own return."""
        return bool(self._registry.held(minion)) and not self._answers_apart(minion)

    def manages(self, minion: str, named: str) -> bool:
        """Return whether a minion manages a resource with this name."""
        return any(record.minion == minion for record in self._candidates(named))

    def remapped(self, load: ReturnLoad) -> Iterator[ReturnLoad]:
        """Yield a load for each resource and name that a return may mean; the job decides which applies.

        A job names a resource as it was named at publication, by its id or by its SRN.
        """
        minion, jid, named = load["id"], load["jid"], load["resource_id"]
        rest = load.copy()
        del rest["resource_id"]
        for record in self._candidates(named):
            if self._answers_for(minion, record, jid):
                for name in (record.id, record.srn):
                    yield {**rest, "id": name, "minion": minion, "srn": record.srn}

    def _candidates(self, named: str) -> tuple[Record, ...]:
        found = self._registry.with_id(named)
        record = None if found else self._registry.find(named)
        return (record,) if record is not None else found

    def _answers_for(self, minion: str, record: Record, jid: str) -> bool:
        """Return whether a minion manages a resource, or did when the job was published."""
        if minion == record.minion or (self._is_shared and minion in record.standby):
            return True
        before = self._moved.get(record.srn)
        return before is not None and before.minion == minion and jid < before.jid

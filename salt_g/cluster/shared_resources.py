"""Resources of all masters of a cluster, which only the leader changes.

The leader decides about all registrations and renewals. A decision is one transaction with the changed rows,
the answer, and a row of the log for the other masters. It is refused once another master leads; so each lease
is committed before the leader changes, and the next leader can wait for its end.
Shapes: see `Decision`.
Errors: StoreError, StoreBusy.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from salt_g.cache import resources
from salt_g.cache.futures import Future
from salt_g.cache.operation import DatabaseConnection, Operation
from salt_g.cache.resources import ResourceRow, ResourceTable
from salt_g.cache.store import Store
from salt_g.cluster.tables import LANE, add_to_log

#: Kinds of rows in the log: a minion's question, and a decision of the leader.
QUESTION, DECISION = "resource question", "resource decision"


class ResourceChanges(NamedTuple):
    """Collected changes: changed rows, removed SRNs, packed grains by SRN."""

    rows: tuple[ResourceRow, ...]
    gone: tuple[str, ...]
    grains: Mapping[str, bytes]


class Decision(NamedTuple):
    """Decision of the leader `master` in its `epoch`; `name` is the question, `body` the answer."""

    master: str
    epoch: int
    name: str
    body: bytes
    changes: ResourceChanges


class SharedResourceTable(ResourceTable):
    """Table whose changes are collected for a decision; see `ResourceTable`."""

    def __init__(self, store: Store) -> None:
        super().__init__(store)
        self._decisions = store
        self._rows: dict[str, ResourceRow] = {}
        self._gone: dict[str, None] = {}
        self._grains: dict[str, bytes] = {}

    def put(self, changed: Iterable[ResourceRow]) -> list[Future[Any]]:
        """Collect changed rows for the next decision."""
        for row in changed:
            self._gone.pop(row.srn, None)
            self._rows[row.srn] = row
        return []

    def drop(self, srns: Iterable[str]) -> list[Future[Any]]:
        """Collect removed SRNs for the next decision."""
        for srn in srns:
            self._rows.pop(srn, None)
            self._grains.pop(srn, None)
            self._gone[srn] = None
        return []

    def put_grains(self, grains: Mapping[str, bytes], *, now: float) -> list[Future[Any]]:
        """Collect grains for the next decision."""
        self._grains.update(grains)
        return []

    def collected(self) -> ResourceChanges:
        """Return the collected changes, and start a new collection."""
        changes = ResourceChanges(tuple(self._rows.values()), tuple(self._gone), self._grains)
        self._rows, self._gone, self._grains = {}, {}, {}
        return changes

    def decide(self, decision: Decision) -> bool:
        """Commit a decision; return False if another master leads now. Raise StoreError, TimeoutError."""
        return bool(self._decisions.write(_DECIDE, decision, len(decision.body)).result())


def _decide(connection: DatabaseConnection, decisions: Sequence[Decision]) -> Sequence[bool]:
    return [_decide_one(connection, decision) for decision in decisions]


def _decide_one(connection: DatabaseConnection, decision: Decision) -> bool:
    # The row is locked until the commit, so no other master becomes the leader meanwhile.
    leads = connection.execute(
        "SELECT 1 FROM leases WHERE name = 'leader' AND holder = ? AND epoch = ? FOR SHARE",
        (decision.master, decision.epoch),
    ).fetchone()
    if leads is None:
        return False
    resources.apply(connection, *decision.changes, now=time.time())
    add_to_log(connection, DECISION, decision.name, decision.body)
    return True


_DECIDE = Operation("decide about resources", LANE, _decide)

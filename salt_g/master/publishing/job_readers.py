"""Which users of this machine may read the events of a job on the event sockets.

Root and the master's user read every event; other users, whom `publisher_acl` and `external_auth` let in,
read those of the jobs, runners, wheel functions and batches that they have ordered.
Shapes: a job is (kind, jid), kind the part of its tags behind `salt/`: job, run, wheel or batch.
Bounds: the latest `CAPACITY` orders of such users are known; nobody else reads events of older ones.
"""

from __future__ import annotations

import collections

#: Orders that are remembered.
CAPACITY = 20_000
#: Kinds of orders, by the second part of the tags of their events.
_KINDS = {"job": "job", "state_result": "job", "run": "run", "wheel": "wheel", "batch": "batch"}
_NOBODY: frozenset[int] = frozenset()


class JobReaders:
    """Knows who has ordered what; `note` comes before the first event of an order."""

    def __init__(self, capacity: int = CAPACITY) -> None:
        self._capacity = capacity
        self._orders: collections.OrderedDict[tuple[str, str], frozenset[int]] = collections.OrderedDict()

    def note(self, kind: str, jid: str, uid: int | None) -> None:
        """Remember the user who has ordered a job, if it is known.

        The first one counts: who names the jid of somebody's job does not become its reader.
        """
        if uid is None or (kind, jid) in self._orders:
            return
        self._orders[kind, jid] = frozenset((uid,))
        while len(self._orders) > self._capacity:
            self._orders.popitem(last=False)

    def of(self, tag: str) -> frozenset[int]:
        """Return the ids of the users who may read an event with this tag, besides those who read all."""
        parts = tag.split("/", 3)
        if parts[0] != "salt":
            # Stock also fires events of a job under its bare jid.
            return self._orders.get(("job", parts[0]), _NOBODY)
        if len(parts) < 3 or parts[1] not in _KINDS:
            return _NOBODY
        return self._orders.get((_KINDS[parts[1]], parts[2]), _NOBODY)

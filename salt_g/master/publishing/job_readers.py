"""Users of this machine who may read the events of a job on the event sockets.

Root and the master's user read every event; other users, admitted by `publisher_acl` and `external_auth`,
read those of their own jobs, runners, wheel functions, batches and rollouts.
Shapes: a job is (kind, jid), kind the part of its tags after `salt/`: job, run, wheel, batch or rollout.
Bounds: the latest `CAPACITY` jobs of such users are remembered; they cannot read events of older jobs.
"""

from __future__ import annotations

import collections

#: Maximum number of remembered jobs.
CAPACITY = 20_000
#: Kinds of jobs, by the second part of the tags of their events.
_KINDS = {
    "job": "job",
    "state_result": "job",
    "run": "run",
    "wheel": "wheel",
    "batch": "batch",
    "rollout": "rollout",
}
_NOBODY: frozenset[int] = frozenset()


class JobReaders:
    """Users by job; `note` is called before the first event of a job."""

    def __init__(self, capacity: int = CAPACITY) -> None:
        self._capacity = capacity
        self._orders: collections.OrderedDict[tuple[str, str], frozenset[int]] = collections.OrderedDict()

    def note(self, kind: str, jid: str, uid: int | None) -> None:
        """Remember the user of a job, if known.

        The first user counts: reusing the jid of another user's job gives no access to its events.
        """
        if uid is None or (kind, jid) in self._orders:
            return
        self._orders[kind, jid] = frozenset((uid,))
        while len(self._orders) > self._capacity:
            self._orders.popitem(last=False)

    def of(self, tag: str) -> frozenset[int]:
        """Return the ids of the users who may read an event with this tag, apart from users who read all."""
        parts = tag.split("/", 3)
        if parts[0] != "salt":
            # Stock also fires events of a job with its bare jid as the tag.
            return self._orders.get(("job", parts[0]), _NOBODY)
        if len(parts) < 3 or parts[1] not in _KINDS:
            return _NOBODY
        return self._orders.get((_KINDS[parts[1]], parts[2]), _NOBODY)

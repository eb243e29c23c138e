"""Expected ids of the newest jobs, in memory.

Each return is checked against these ids, and reading them from the store each time would cost more than the
rest of the check. Older jobs are looked up in the store. Which minions a target matches is decided by
`target_resolution.py`.
"""

from __future__ import annotations

from collections import OrderedDict, deque
from collections.abc import Callable, Iterable

from salt_g.cache.jobs import Jobs

#: Maximum number of cached ids of all jobs, where a set of ids that several jobs share counts once; and
#: maximum number of jobs.
MAX_IDS = 500_000
MAX_JOBS = 10_000
#: Number of recent id sets that a new one is compared with, because jobs for all minions can share a set.
USUAL = 8


class ExpectedMinions:
    """Ids to which each job was published."""

    def __init__(self, jobs: Jobs, *, is_owned: Callable[[str, str], bool] = lambda id, jid: True) -> None:
        """Initialize; `is_owned(id, jid)` returns whether the id still has the owner it had for the job."""
        self._jobs = jobs
        self._is_owned = is_owned
        self._expected: OrderedDict[str, frozenset[str]] = OrderedDict()
        self._usual: deque[frozenset[str]] = deque(maxlen=USUAL)
        #: {identity of a set of ids: number of jobs that use the set}
        self._jobs_of: dict[int, int] = {}
        self._size = 0

    def add(self, jid: str, ids: Iterable[str]) -> None:
        """Add ids to those that a job expects."""
        # The job's first publication may have been evicted, or made before a restart.
        self._remember(jid, self._of(jid).union(ids))

    def newest(self, most: int) -> list[tuple[str, int]]:
        """Return (jid, number of expected ids) of the newest jobs, the newest first."""
        return [(jid, len(self._expected[jid])) for jid in sorted(self._expected, reverse=True)[:most]]

    def expects(self, jid: str, id: str, *, owner: str = "") -> bool:
        """Return whether a job was published to an id; raises StoreError.

        `owner` is the minion that manages a resource of this name.
        """
        found = self._expected.get(jid)
        if found is None:
            found = self._of(jid)
            self._remember(jid, found)
        return id in found and self._is_owned(owner or id, jid)

    def _of(self, jid: str) -> frozenset[str]:
        """Return the ids of a job, from memory or from the store; may yield to the hub."""
        known = self._expected.get(jid)
        if known is None:
            stored = frozenset(self._jobs.get_expected(jid))
            # Ids may have been added while the store was read.
            known = self._expected.get(jid, stored)
        return known

    def _remember(self, jid: str, ids: frozenset[str]) -> None:
        before = self._expected.pop(jid, None)
        if before is not None:
            self._release(before)
        self._expected[jid] = ids = self._shared(ids)
        if not self._jobs_of.setdefault(id(ids), 0):
            self._size += len(ids)
        self._jobs_of[id(ids)] += 1
        while len(self._expected) > MAX_JOBS or self._size > MAX_IDS:
            if len(self._expected) == 1:
                break
            _, oldest = self._expected.popitem(last=False)
            self._release(oldest)

    def _release(self, ids: frozenset[str]) -> None:
        """Decrement the job count of a set of ids; after its last job, stop counting the ids."""
        self._jobs_of[id(ids)] -= 1
        if not self._jobs_of[id(ids)]:
            del self._jobs_of[id(ids)]
            self._size -= len(ids)

    def _shared(self, ids: frozenset[str]) -> frozenset[str]:
        """Return an equal set of a recent job, or else `ids`, to save memory (a thousand ids take 32 KiB)."""
        for known in self._usual:
            if known == ids:
                return known
        self._usual.append(ids)
        return ids

"""Jobs that a minion missed while it moved from one master of a cluster to another.

A minion that was connected to another master and signs in here gets the recent jobs again that expect it
and that it has not returned, each once; it drops those that it has received already, by their jid. Stock's
minions would run them again, so they get none.
Units: seconds of the monotonic clock. Bounds: `MOST` jobs of the last `RECENT` seconds.
"""

from __future__ import annotations

import logging
import time
from collections import OrderedDict, deque
from collections.abc import Callable
from typing import Any, NamedTuple

from salt_g.cache.jobs import Jobs
from salt_g.errors import StoreError, WireError
from salt_g.process.periodic_loop import PeriodicLoop
from salt_g.shapes.loads import JobLoad

log = logging.getLogger(__name__)

#: How long a job is given again, and how many are remembered.
RECENT, MOST = 60.0, 2000
#: Repetitions that are remembered: as many as minions of a large fleet miss jobs when a master ends.
MOST_SENT = 200_000
#: How long a minion may take from its sign-in to its subscription, and from that until it reads.
ON_ITS_WAY, SETTLED = 10.0, 0.5
#: Pause between two looks.
LOOK = 0.5


class _Recent(NamedTuple):
    load: JobLoad
    ids: frozenset[str]
    at: float


class MissedJobs:
    """Recent jobs of the cluster, and the minions that moved here. Life: `run` in a greenlet.

    `connected` returns the minions of this master, `was_elsewhere(ids)` those that another master had;
    `drops_repeated(id)` returns whether a minion drops a job that it has received before.
    `send(job, ids)` gives a job to all masters.
    """

    def __init__(
        self,
        jobs: Jobs,
        connected: Callable[[], set[str]],
        was_elsewhere: Callable[[set[str]], set[str]],
        *,
        drops_repeated: Callable[[str], bool],
        send: Callable[[JobLoad, list[str]], None],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._jobs = jobs
        self._connected = connected
        self._was_elsewhere = was_elsewhere
        self._drops_repeated = drops_repeated
        self._send = send
        self._sent: OrderedDict[tuple[str, str], None] = OrderedDict()
        self._clock = clock
        self._recent: deque[_Recent] = deque(maxlen=MOST)
        self._came: dict[str, float] = {}

    def note(self, load: JobLoad, ids: list[str]) -> None:
        """Remember a job that was sent to the minions of this master."""
        self._recent.append(_Recent(load, frozenset(ids), self._clock()))

    def note_sign_in(self, id: str) -> None:
        """Note that a minion was let in."""
        self._came[id] = self._clock()

    def run(self) -> None:
        """Send what was missed, until the greenlet ends."""
        PeriodicLoop("cluster missed jobs", self._try_to_send, LOOK, first=LOOK).run()

    def _try_to_send(self) -> None:
        try:
            self.send_missed()
        except (StoreError, WireError) as exc:
            log.warning("minions that moved here do not get their jobs again: %s", exc)

    def send_missed(self) -> None:
        """Send the jobs that minions missed which have settled here; raise StoreError, WireError."""
        now = self._clock()
        while self._recent and now - self._recent[0].at > RECENT:
            self._recent.popleft()
        ready = {id for id, at in self._came.items() if now - at >= SETTLED} & self._connected()
        late = {id for id, at in self._came.items() if now - at > ON_ITS_WAY}
        for id in ready | late:
            del self._came[id]
        able = {id for id in ready if self._recent and self._drops_repeated(id)}
        moved = self._was_elsewhere(able) if able else set()
        for recent in list(self._recent) if moved else ():
            missing = [id for id in sorted(moved & recent.ids) if self._lacks(recent.load["jid"], id)]
            if missing:
                log.info(
                    "job %s is sent again to %d minions that moved here", recent.load["jid"], len(missing)
                )
                self._send(_listed(recent.load, missing), missing)

    def _lacks(self, jid: str, id: str) -> bool:
        """Return whether a minion has not returned a job and was not sent it again; note that it is now."""
        if (jid, id) in self._sent or self._jobs.has_returned(jid, id):
            return False
        self._sent[jid, id] = None
        if len(self._sent) > MOST_SENT:
            self._sent.popitem(last=False)
        return True


def _listed(load: JobLoad, ids: list[str]) -> JobLoad:
    """Return the same job for these minions only."""
    again: Any = {**load, "tgt": ids, "tgt_type": "list"}
    again.pop("delimiter", None)
    job: JobLoad = again
    return job

"""Jobs that this minion has received, by jid, so that none runs twice.

A job can arrive several times: from a client in batch mode for other addressees, from each of several masters
that share their jobs, and from another master after the first one ended. Jobs that had begun when the minion
ended are also known, as are jobs whose return is still on disk.
Units: seconds of the monotonic clock.
Bounds: the latest `most` jids and all jids of the last `REPEATED` seconds, but at most `MOST`.
"""

from __future__ import annotations

import collections
import logging
import time
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from salt_g.resource_model.srn import Srn

log = logging.getLogger(__name__)


#: How long jids are remembered (s): masters of a cluster may send a job again for three minutes.
REPEATED = 300.0
#: Maximum number of remembered jids, some 10 MiB.
MOST = 50_000


class MatchedJob(NamedTuple):
    """Addressees of a job on this minion: the minion itself, and resources that it manages."""

    is_own: bool
    resources: Sequence[Srn] = ()

    @property
    def is_anybody(self) -> bool:
        """Whether there are any addressees."""
        return self.is_own or bool(self.resources)


class SeenJobs:
    """Received jids with their addressees (None for the minion itself), shared by all masters."""

    def __init__(self, most: int, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._most = most
        self._clock = clock
        self._seen: collections.OrderedDict[str, _Seen] = collections.OrderedDict()

    def note_begun(self, jids: Iterable[str]) -> None:
        """Record jobs that had begun when this minion last ended."""
        for jid in jids:
            self._seen.setdefault(jid, _Seen(set(), self._clock())).addressees.add(None)

    def new_addressees(self, jid: str, matched: MatchedJob) -> MatchedJob | None:
        """Record and return the addressees that have not received this jid before, or None if all have."""
        before = self._seen.pop(jid, None)
        known = before.addressees if before is not None else set()
        self._seen[jid] = _Seen(known, self._clock())
        new = MatchedJob(
            matched.is_own and None not in known, [srn for srn in matched.resources if srn not in known]
        )
        if not new.is_anybody:
            log.info("%s: this job was received before", jid)
            return None
        known.update(new.resources, (None,) if new.is_own else ())
        self._forget_old()
        return new

    def _forget_old(self) -> None:
        while len(self._seen) > self._most:
            oldest = next(iter(self._seen.values()))
            if len(self._seen) <= MOST and self._clock() - oldest.at < REPEATED:
                return
            self._seen.popitem(last=False)


class _Seen(NamedTuple):
    """Addressees that have received a job (None for the minion itself), and the time of its last arrival."""

    addressees: set[Srn | None]
    at: float

"""Jobs that this minion has received, by jid, so that none runs twice.

A job may come again: from a client in batch mode for other addressees, from each of several masters that
share their jobs, and from another master after the first one ended. Jobs that had begun when the minion
ended count.
Bounds: the latest `most` jids.
"""

from __future__ import annotations

import collections
import logging
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from salt_g.resource_model.srn import Srn

log = logging.getLogger(__name__)


class MatchedJob(NamedTuple):
    """Local addressees of a job: the minion itself, resources that it manages."""

    is_own: bool
    resources: Sequence[Srn] = ()

    @property
    def is_anybody(self) -> bool:
        """Whether there are any addressees."""
        return self.is_own or bool(self.resources)


class SeenJobs:
    """Received jids with their addressees, None for the minion itself; all masters share them."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._seen: collections.OrderedDict[str, set[Srn | None]] = collections.OrderedDict()

    def note_begun(self, jids: Iterable[str]) -> None:
        """Note jobs that had begun when this minion ended."""
        for jid in jids:
            self._seen.setdefault(jid, set()).add(None)

    def new_addressees(self, jid: str, matched: MatchedJob) -> MatchedJob | None:
        """Drop addressees that already saw this jid; return None if none are left."""
        known = self._seen.pop(jid, set())
        self._seen[jid] = known
        new = MatchedJob(
            matched.is_own and None not in known, [srn for srn in matched.resources if srn not in known]
        )
        if not new.is_anybody:
            log.info("%s: this job was received before", jid)
            return None
        known.update(new.resources, (None,) if new.is_own else ())
        if len(self._seen) > self._most:
            self._seen.popitem(last=False)
        return new

"""Job cache quota for unpublished returns of minions (jid `req`).

A minion can send any number of these without a job. The returns of one minion, and those of all minions, each
have a share of `keep_jobs_bytes`; beyond it the oldest unpublished returns are removed, never a published
job.
Shapes: the entries of a minion are a list of spans, each with its first and last jid and the number of bytes.
Units: bytes.
"""

from __future__ import annotations

import collections
import dataclasses
import logging
from collections.abc import Callable

log = logging.getLogger(__name__)

#: Share of `keep_jobs_bytes` for one minion, and for all minions together.
OF_ONE, OF_ALL = 1 / 16, 1 / 4
#: Number of spans into which a minion's share is divided; a span is counted and removed as a whole.
SPANS = 32


@dataclasses.dataclass
class _Span:
    first: str
    last: str
    size: int


class UnpublishedReturns:
    """Counter of stored returns; `remove(id, first, last)` removes a minion's own jobs in a span of jids."""

    def __init__(self, keep_bytes: int, *, remove: Callable[[str, str, str], object]) -> None:
        """Initialize; `keep_bytes` is the size limit of the job cache, 0 for no limit."""
        self._of_one, self._of_all = int(keep_bytes * OF_ONE), int(keep_bytes * OF_ALL)
        self._remove = remove
        self._spans: dict[str, collections.deque[_Span]] = {}
        self._held: collections.Counter[str] = collections.Counter()
        self._total = 0
        self._full: set[str] = set()

    def fits(self, size: int) -> bool:
        """Return whether a return is small enough to be stored."""
        return not self._of_one or size <= self._of_one

    def add(self, id: str, jid: str, size: int) -> None:
        """Count a stored return; remove the oldest ones above the limit."""
        if not self._of_one:
            return
        spans = self._spans.setdefault(id, collections.deque())
        if spans and spans[-1].size + size <= self._of_one // SPANS and spans[-1].last <= jid:
            spans[-1].last = jid
            spans[-1].size += size
        else:
            spans.append(_Span(jid, jid, size))
        self._held[id] += size
        self._total += size
        while self._held[id] > self._of_one and len(spans) > 1:
            self._evict(id)
        while self._total > self._of_all and self._total > size:
            self._evict(self._held.most_common(1)[0][0])

    def _evict(self, id: str) -> None:
        if id not in self._full:
            self._full.add(id)
            log.warning("%s: its unpublished returns exceed their share, so the oldest are removed", id)
        span = self._spans[id].popleft()
        self._held[id] -= span.size
        self._total -= span.size
        if not self._spans[id]:
            del self._spans[id], self._held[id]
        self._remove(id, span.first, span.last)

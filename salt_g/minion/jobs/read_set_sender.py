"""Sender of the read-sets that accompany the returns of state runs to one master.

The body of a set is sent only once. Returns are resent until acknowledged, so a set sent with a return
arrives. After a new sign-in, and after a day, sets are sent again in case the master has lost them.
Units: seconds.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from salt_g.report.recording.reads import Reads

#: How long a master is expected to keep a read-set (s), and maximum number of digests remembered.
KNOWN_FOR, REMEMBERED = 86400.0, 64


class ReadSetSender:
    """Sender of read-sets to one master; `is_wanted` returns whether the master keeps read-sets."""

    def __init__(self, *, is_wanted: Callable[[], bool], clock: Callable[[], float] = time.monotonic) -> None:
        self._is_wanted = is_wanted
        self._clock = clock
        self._sent: dict[bytes, float] = {}
        self._last: tuple[Any, bytes] = ((), b"")
        self._begin: Callable[[Any, Any], Reads | None] | None = None

    def reads(self, fun: Any, arg: Any, opts: Mapping[str, Any]) -> Reads | None:
        """Return a record for what a call of `fun` reads, or None if no record is needed or wanted.

        Known runs are kept on disk for the next process of a minion with these settings.
        """
        if not self._is_wanted():
            return None
        if self._begin is None:
            self._begin = self._first(opts)
        return self._begin(fun, arg)

    def _first(self, opts: Mapping[str, Any]) -> Callable[[Any, Any], Reads | None]:
        """Return the function that creates records of calls."""
        # Imported lazily: few masters keep read-sets.
        from salt_g.report.recording.known_run_files import KnownRunFiles, about_of
        from salt_g.report.recording.known_runs import KnownRuns
        from salt_g.report.recording.reads import Reads
        from salt_g.report.state_calls import is_recorded

        runs = KnownRuns(self._clock, KnownRunFiles(str(opts["cachedir"]), partial(about_of, opts)))
        return lambda fun, arg: Reads(runs, repr((fun, arg))) if is_recorded(fun) else None

    def packed(self, reads: Reads) -> bytes:
        """Return a read-set in packed form, or only its digest if the master was sent the set before.

        Return b'' for a run that read nothing, because it did not begin (another run active, pillar errors).
        """
        from salt_g.report.recording.read_sets import SIZE, packed

        reads.remember()
        # Most runs read the same as the previous one, and comparing is faster than packing.
        last, data = self._last
        state = reads.state()
        if last != state:
            names = reads.names()
            if not names:
                return b""
            data = packed(names)
            self._last = (state, data)
        digest, now = data[:SIZE], self._clock()
        if now - self._sent.get(digest, float("-inf")) < KNOWN_FOR:
            return digest
        if len(self._sent) >= REMEMBERED:
            self._sent.pop(next(iter(self._sent)))
        self._sent[digest] = now
        return data

    def forget(self) -> None:
        """Forget which sets were sent, because the session may now be with another master."""
        self._sent.clear()

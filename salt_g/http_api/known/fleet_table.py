"""Copy of the master's overview of minions, from which lists, filters and counts are computed.

A read renews the copy, at most once a second, by fetching the changed rows from the master.
Shapes: see `master/fleet/overview.py`; each row also has `status`, the verdict of the last state run.
Units: seconds of the monotonic clock.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Any

import gevent.lock

Row = Mapping[str, Any]
#: Maximum age of the copy (s).
AGE = 1.0


class FleetTable:
    """Copy of the overview; `ask(load)` sends a command to the master and returns the reply."""

    def __init__(
        self, ask: Callable[[dict[str, Any]], Any], *, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._ask = ask
        self._clock = clock
        self._rows: dict[str, Row] = {}
        self._place: dict[str, Any] = {}
        self._end = float("-inf")
        self._turn: Any = gevent.lock.BoundedSemaphore(1)

    def rows(self) -> Mapping[str, Row]:
        """Return the rows by id; a renewal replaces the mapping and never modifies it."""
        if self._clock() >= self._end:
            # Requests that wait for a renewal share its result.
            with self._turn:
                if self._clock() >= self._end:
                    self._renew()
        return self._rows

    def _renew(self) -> None:
        reply = self._ask({"cmd": "overview", **self._place})
        rows = {} if reply["is_whole"] else dict(self._rows)
        for id in reply["gone"]:
            rows.pop(id, None)
        for row in reply["rows"]:
            run = row["last_run"]
            rows[row["id"]] = {**row, "status": run["verdict"] if run else "none"}
        if reply["rows"] or reply["gone"] or reply["is_whole"]:
            self._rows = dict(sorted(rows.items()))
        self._place = {"boot": reply["boot"], "number": reply["number"]}
        self._end = self._clock() + AGE

"""Indexer of a master's history: reads new returns and stores the changes made by state runs.

The indexer reads with a cursor in a native thread, on its own read-only connection, so that it does not slow
down the storing of returns. In a cluster only the leader indexes. Changes and the new position of the cursor
are committed together.
Units: seconds.
"""

from __future__ import annotations

import contextlib
import logging
import time
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from salt_g.cache.history import FleetHistory, HistoryLimits, Indexed, changes_of_job
from salt_g.cache.operation import DatabaseConnection
from salt_g.cache.returns_reader import WATCH, NewReturns, read_new
from salt_g.cache.store import Store
from salt_g.data import jid as jids
from salt_g.errors import StoreError, WireError
from salt_g.process.offload import offload
from salt_g.process.periodic_loop import PeriodicLoop
from salt_g.report.state_changes import RunChanges, StateChange, changes_of, is_state_run
from salt_g.report.undo_changes import changes_of_undo, undone_job
from salt_g.wire.packing import unpack

log = logging.getLogger(__name__)

#: Pause between two checks for new returns, and between two removals of old changes (s).
LOOK, PRUNE = 1.0, 60.0


class HistoryIndex:
    """Indexer of the history. Lifecycle: `run` in a greenlet; indexes only while `is_leader()` is true."""

    def __init__(
        self,
        store: Store,
        limits: HistoryLimits,
        *,
        is_leader: Callable[[], bool] | None = None,
        now: Callable[[], float] = time.time,
    ) -> None:
        self._store = store
        self._history = FleetHistory(store)
        self._limits = limits
        self._is_leader = is_leader or (lambda: True)
        self._now = now
        self._connection: DatabaseConnection | None = None
        self._is_watched = False
        self._pruned = 0.0

    def run(self) -> None:
        """Index until the greenlet ends."""
        # Native threads must not import, and the first use of `time.strptime` does.
        jids.microseconds(jids.make())
        try:
            PeriodicLoop("history", self.index, LOOK).run()
        finally:
            self.close()

    def index(self) -> None:
        """Index all new returns and remove old changes: one round of the loop."""
        if not self._is_leader():
            return
        try:
            while self._step():
                pass
            self._prune()
        except (StoreError, TimeoutError) as exc:
            log.warning("cannot write the history yet: %s", exc)
            self.close()

    def _step(self) -> bool:
        """Index some returns; return whether there may be more."""
        if not self._is_watched:
            self._store.write(WATCH, None).result()
            self._is_watched = True
        place = self._history.place()
        found, indexed = offload(self._read, place)
        if indexed is not None and indexed.place != place:
            self._history.add(indexed).result()
        return bool(found.has_more)

    def _read(self, place: list[Any]) -> tuple[NewReturns, Indexed | None]:
        """Return new returns and their changes; called in a native thread."""
        if self._connection is None:
            self._connection = self._store.open_in_thread()
        found = read_new(self._connection, place)
        if not found.returns:
            return found, None
        runs: dict[str, RunChanges] = {}
        for jid, minion, data in found.returns:
            load = _state_run(data)
            if load is None:
                continue
            earlier = runs.get(minion)
            before = self._digests(minion) if earlier is None else earlier.digests
            undone = self._undone(minion, load, earlier.rows if earlier else ())
            try:
                made = _changes(jid, minion, load, before, undone)
            except Exception as exc:  # One return of one minion, which may send anything.
                log.warning("the return of %s for job %s is left out of the history: %r", minion, jid, exc)
                continue
            runs[minion] = made if earlier is None else _joined(earlier, made)
        rows = [row for made in runs.values() for row in made.rows]
        texts = {digest: text for made in runs.values() for digest, text in made.texts.items()}
        tested = {minion: (made.at, made.digests) for minion, made in runs.items() if made.at or made.digests}
        return found, Indexed(found.place, rows, texts, tested)

    def _undone(
        self, minion: str, load: Mapping[str, Any], earlier: Iterable[StateChange]
    ) -> list[StateChange] | None:
        """Return the changes that an undo reverted, None for a state run; `earlier` are not stored yet."""
        job = undone_job(load)
        if not job:
            return None
        assert self._connection is not None
        return [
            *changes_of_job(self._connection, job, minion),
            *(one for one in earlier if one.jid == job),
        ]

    def _digests(self, minion: str) -> Mapping[bytes, bytes] | None:
        """Return the stored digests of a minion's last runs, None without any."""
        assert self._connection is not None
        sql = "SELECT digests FROM tested WHERE minion = ?"
        found = self._connection.execute(sql, (minion,)).fetchone()
        if found is None:
            return None
        with contextlib.suppress(WireError):
            digests = unpack(bytes(found[0]))
            if isinstance(digests, dict) and digests:
                return {_bytes(chunk): _bytes(digest) for chunk, digest in digests.items()}
        return None

    def _prune(self) -> None:
        if self._now() - self._pruned < PRUNE:
            return
        self._pruned = self._now()
        while self._history.prune(self._limits, self._now()).result():
            pass

    def forget(self, minion: str) -> None:
        """Forget the runs of a minion whose key was removed, so that its successor shows no drift."""
        try:
            self._history.forget(minion).result()
        except (StoreError, TimeoutError) as exc:
            log.error("cannot remove the state runs of %s from the history: %s", minion, exc)

    def close(self) -> None:
        """Close the connection to the store; the next round opens another."""
        connection, self._connection = self._connection, None
        if connection is not None:
            with contextlib.suppress(Exception):
                connection.close()


def _state_run(data: bytes) -> Mapping[str, Any] | None:
    """Return the content of a state run's return, None for any other return or an unreadable one."""
    if not data:
        return None
    try:
        load = unpack(data)
    except WireError as exc:
        log.warning("a return is left out of the history because it is unreadable: %s", exc)
        return None
    return load if isinstance(load, dict) and is_state_run(load.get("fun")) else None


def _changes(
    jid: str,
    minion: str,
    load: Mapping[str, Any],
    before: Mapping[bytes, bytes] | None,
    undone: list[StateChange] | None,
) -> RunChanges:
    """Return the changes made by a state run, or by the undo of an earlier run."""
    if undone is None:
        return changes_of(jid, minion, load, before)
    return changes_of_undo(jid, minion, load, before, undone)


def _joined(first: RunChanges, second: RunChanges) -> RunChanges:
    """Return the changes of two consecutive runs of a minion as one."""
    return RunChanges(
        [*first.rows, *second.rows],
        {**first.texts, **second.texts},
        second.digests,
        max(first.at, second.at),
    )


def _bytes(value: Any) -> bytes:
    return value if isinstance(value, bytes) else str(value).encode()

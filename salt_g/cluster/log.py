"""Log of a cluster: messages between the masters, in the order in which each master commits.

Every row of the log and every return has a place `n`; a reader remembers the last place of each master. Rows
that were committed before a publication are handled before it. A notification of the server is only a hint to
read early; it names its master and says whether it can wait. Without hints each master reads every second.
Units: seconds.
Errors: StoreError from reads; the next turn continues where reading stopped.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import gevent
import gevent.socket
import psycopg

from salt_g.cache.postgres.connection import PostgresConnection
from salt_g.cache.postgres.store import open_reader
from salt_g.cache.store import Store
from salt_g.cluster import tables
from salt_g.cluster.hints import Hints
from salt_g.cluster.membership import Membership
from salt_g.errors import StoreBusy, StoreError
from salt_g.process.offload import offload, yield_to_hub
from salt_g.process.periodic_loop import PeriodicLoop
from salt_g.telemetry.metric_registry import Histogram

log = logging.getLogger(__name__)

#: Pause between two turns without a hint, and after an error.
TURN = 1.0
#: First words of the hints that can wait and of those that cannot; the id of the sending master follows.
_CAN_WAIT, _URGENT = "returns ", "all "
#: Handler of one kind of row, called with the name and the body.
Handler = Callable[[str, bytes], None]


class LogHandlers(NamedTuple):
    """Handlers of the rows and returns that this master reads in the log.

    `kinds` has the handlers by kind of row; rows of other kinds are skipped. `on_publication` is called with
    (serial, generation, job, ids, by topic) for the publications of all masters, `on_return` with (jid, id,
    data) for the returns of other masters. A page of returns is skipped if `is_return_wanted(jid, id)` is
    False for all of them.
    """

    on_publication: Callable[[int, int, bytes, bytes, bool], None]
    on_return: Callable[[str, str, bytes], None]
    is_return_wanted: Callable[[str, str], bool]
    kinds: Mapping[str, Handler]


class Log:
    """Log of a cluster.

    Lifecycle: `start`, then `run`, `listen` and `ring_when_asked`, each in a greenlet.
    """

    def __init__(self, store: Store, url: str, membership: Membership) -> None:
        self.serial = 0
        self.delays = Histogram()
        self._store = store
        self._url = url
        self._membership = membership
        self._read: dict[str, int] = {}
        self._returns: dict[str, int] = {}
        #: Place after which the rows of a master that joins later are read; its older rows are skipped.
        self._first = 0
        self._noted: dict[str, int] = {}
        self._hints = Hints()
        #: Hints for the other masters, which `ring_when_asked` sends.
        self._outgoing = Hints()
        #: Number of returns stored since the last hint for the other masters.
        self._stored = 0

    def start(self, serial: int) -> None:
        """Skip everything already committed, and all publications up to `serial`; `run` reads the rest."""
        self.serial = serial
        self._first = self._store.read(tables.LAST_PLACE)[0][0]
        self._read = dict(self._store.read(tables.LOG_ENDS))
        for id in {*self._read, *self._membership.others}:
            self._returns[id] = self._returns_end(id)
        # Take the first turn at once, to read what was committed meanwhile.
        self._hints.give()

    def announce(self, kind: str, name: str, body: bytes = b"") -> Any:
        """Add a row for the other masters; return the write's future, None if the store's queue is full."""
        try:
            return self._store.write(tables.ANNOUNCE, (kind, name, body), len(body))
        except StoreBusy as exc:
            log.warning("cannot announce %s %s to the other masters: %s", kind, name, exc)
            return None

    def ring(self) -> None:
        """Send a hint to all masters, including this one, that something was committed."""
        self._hints.give()
        self._outgoing.give()

    def ring_for_returns(self, count: int) -> None:
        """Send a hint to the other masters that this master has stored `count` returns."""
        self._stored += count
        self._outgoing.give(can_wait=True)

    def run(self, handlers: LogHandlers) -> None:
        """Read new rows until the greenlet ends."""
        while True:
            self._hints.wait(TURN)
            try:
                self._hints.note_found(self.take_turn(handlers))
            except StoreError as exc:
                log.debug("cannot read the log of the cluster: %s", exc)
                gevent.sleep(TURN)

    def take_turn(self, handlers: LogHandlers) -> int:
        """Handle all new rows and return the number of returns among them; raises StoreError."""
        known = sorted(self._membership.others)
        # One query if nothing is new. Rows that were committed before a publication must be handled before
        # it, so publications committed after this query wait for the next turn.
        ends = {id: places for id, *places in self._store.read(tables.ENDS, (known, self._membership.id))}
        serial, _ = ends.pop("")
        for master, (log_end, _) in ends.items():
            if log_end > self._read.get(master, self._first):
                self._follow_log(master, handlers.kinds)
        self._note_positions()
        if serial < self.serial:
            self._membership.note_lost(f"publication {serial} came after {self.serial}")
        self._follow_publications(serial, handlers)
        return sum(
            self._follow_returns(master, handlers)
            for master, (_, returns_end) in ends.items()
            if returns_end > self._returns.get(master, self._first)
        )

    def ring_when_asked(self) -> None:
        """Send hints until the greenlet ends, combining several into one."""
        while True:
            kind = _URGENT if self._outgoing.wait() else _CAN_WAIT
            stored, self._stored = self._stored, 0
            self._outgoing.note_found(stored)
            try:
                self._store.read(tables.RING, (kind + self._membership.id,))
            except StoreError:
                gevent.sleep(TURN)

    def listen(self) -> None:
        """Receive hints from the other masters until the greenlet ends."""
        PeriodicLoop("cluster hints", self._listen, TURN).run()

    def _listen(self) -> None:
        try:
            self._follow_hints(offload(open_reader, self._url, self._store.path))
        except (psycopg.Error, OSError, StoreError) as exc:
            log.debug("cannot receive hints of other masters: %s", exc)

    def _follow_hints(self, connection: PostgresConnection) -> None:
        try:
            connection.execute("LISTEN salt_g")
            while True:
                gevent.socket.wait_read(connection.pgconn.socket)
                # Raises an error if the connection has ended.
                connection.pgconn.consume_input()
                while (hint := connection.pgconn.notifies()) is not None:
                    self._note_hint(hint.extra.decode())
        finally:
            connection.close()

    def _note_hint(self, text: str) -> None:
        # This master's own hints come back, too. Masters of earlier versions send hints without text.
        if text not in (_URGENT + self._membership.id, _CAN_WAIT + self._membership.id):
            self._hints.give(can_wait=text.startswith(_CAN_WAIT))

    def _follow_log(self, master: str, kinds: Mapping[str, Handler]) -> None:
        last = self._read.get(master, self._first)
        while rows := self._store.read(tables.LOG, (master, last)):
            for last, kind, name, body in rows:
                handle = kinds.get(kind)
                if handle is not None:
                    handle(name, bytes(body))
                self._read[master] = last
            yield_to_hub()

    def _note_positions(self) -> None:
        for master, n in self._read.items():
            if self._noted.get(master) != n:
                self._store.write(tables.NOTE_POSITIONS, (self._membership.id, master, n))
                self._noted[master] = n

    def _follow_publications(self, last: int, handlers: LogHandlers) -> None:
        while self.serial < last and (rows := self._store.read(tables.PUBLICATIONS, (self.serial, last))):
            for serial, generation, job, ids, by_topic, age in rows:
                self.delays.observe(age)
                handlers.on_publication(serial, generation, bytes(job), bytes(ids), by_topic)
                self.serial = serial

    def _follow_returns(self, master: str, handlers: LogHandlers) -> int:
        """Read the new returns of a master, and return their number.

        Their data, which can be large, is read only for pages with a wanted return.
        """
        last, count, is_full = self._returns.get(master, self._first), 0, True
        while is_full and (places := self._store.read(tables.RETURN_PLACES, (master, last))):
            count += len(places)
            end, is_full = places[-1][0], len(places) == tables.PAGE
            if any(handlers.is_return_wanted(jid, id) for _, jid, id in places):
                for jid, id, data in self._store.read(tables.RETURNS, (master, last, end)):
                    handlers.on_return(jid, id, bytes(data))
            self._returns[master] = last = end
            yield_to_hub()
        return count

    def _returns_end(self, master: str) -> int:
        return int(self._store.read(tables.RETURNS_END, (master,))[0][0])

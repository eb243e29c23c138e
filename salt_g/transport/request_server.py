"""Request port of the master, a ROUTER socket for its peers, with one reader, one writer and handlers.

Each request gets at most one reply.
Bounds: `backlog` requests wait (then reading stops, and messages stay in the TCP buffers); `per_connection`
requests of one connection are open at once (more are dropped and counted; a REQ peer never has more than
one); `workers` handlers run; replies wait for the writer (then handlers wait). Requests that `is_costly`
classifies as slow have a separate queue and a few workers, so that a storm of them does not delay others;
when that queue is full they are dropped and counted, and their peers retry. In bytes: a costly request has at
most `costly_size`, the queued ones `COSTLY_BYTES` together; all open requests hold `OPEN_BYTES` (then reading
stops), those of one address half as many (further large ones are dropped). A request that has waited for
`patience` seconds and that its peer has sent again is skipped (`superseded`).
Source: wire specification, sections 2.1 and 2.2.
"""

from __future__ import annotations

import collections
import dataclasses
import logging
import time
from collections.abc import Callable, Hashable, Sequence
from functools import partial
from typing import Any

import gevent
import gevent.event
import gevent.queue

from salt_g.process import fd_limit
from salt_g.process.supervisor import Supervisor
from salt_g.transport.carriers import ZEROMQ, Carrier
from salt_g.transport.connection import PeerConnection
from salt_g.transport.connection_limits import ConnectionLimits, shared_by_ports
from salt_g.transport.fair_queue import FairQueue
from salt_g.transport.listener import Listener, MessageQueue
from salt_g.transport.protocols import Arrival, Handler
from salt_g.transport.request_guard import answer
from salt_g.transport.time_slice import TimeSlice
from salt_g.transport.zeromq import MAX_MESSAGE, GreenContext
from salt_g.wire.packing import pack

log = logging.getLogger(__name__)

#: Monotonic clock (s).
Clock = Callable[[], float]

#: Maximum number of replies that wait for the writer.
REPLIES = 1024
#: Time limit for delivering replies after a stop (s).
LINGER = 1.0
#: Maximum total size of queued costly requests, and of all other open requests (bytes).
COSTLY_BYTES = 64 * 1024 * 1024
OPEN_BYTES = 512 * 1024 * 1024
#: Size up to which requests are never dropped for their size, because their number is limited (bytes).
SMALL = 64 * 1024
#: Interval between log messages about a full queue (s).
LOG_INTERVAL = 60.0
#: Minimum time before a peer retries (s); stock's minions retry after 5 (`auth_timeout`).
PATIENCE = 5.0
#: Period over which idle workers are counted (s), and the number of idle workers kept.
IDLE_TIME = 10.0
IDLE_WORKERS = 4

#: Reply to a request that is larger than any legitimate one.
REFUSAL = pack({"msg": "bad load"})


@dataclasses.dataclass(frozen=True)
class RequestLimits:
    """Bounds of a request server (see the module) as numbers of requests and workers, bytes, and seconds."""

    workers: int = 256
    backlog: int = 4096
    per_connection: int = 16
    max_message: int = MAX_MESSAGE
    patience: float = PATIENCE
    costly_workers: int = 16
    costly_backlog: int = 16_384
    costly_size: int = SMALL
    costly_bytes: int = COSTLY_BYTES
    open_bytes: int = OPEN_BYTES


@dataclasses.dataclass(frozen=True)
class _Pending:
    """Queued request, with the frames that its reply begins with; the first identifies the connection.

    `asks` identifies the content of the request: one may be skipped if a later one has the same value.
    """

    route: list[bytes]
    arrival: Arrival
    asks: Hashable = None
    came: float = 0.0


class _Line:
    """Queue of requests, and bookkeeping of the workers that serve it."""

    def __init__(self, backlog: int, most_workers: int, patience: float, clock: Clock) -> None:
        self.waiting: FairQueue[_Pending] = FairQueue(backlog)
        self.workers = 0
        self.idle = 0
        #: Total size of the queued requests (bytes).
        self.held = 0
        self._least_idle = 0
        self._surplus = 0
        self._look_at = clock()
        self._clock = clock
        self._backlog = backlog
        self._most_workers = most_workers
        self._patience = patience
        self._newest: dict[Hashable, _Pending] = {}

    def put(self, pending: _Pending) -> None:
        """Add a request; wait for space."""
        if pending.asks is not None:
            self._newest[pending.asks] = pending
        self.held += len(pending.arrival.payload)
        self.waiting.put(pending.arrival.address, pending)

    def get(self) -> tuple[_Pending, bool]:
        """Return the next request, and whether to skip it because its waiting peer has sent it again."""
        pending = self.waiting.get()
        self.held -= len(pending.arrival.payload)
        if self._newest.get(pending.asks) is pending:
            del self._newest[pending.asks]
        is_repeated = pending.asks in self._newest
        return pending, is_repeated and self._clock() - pending.came >= self._patience

    def is_full(self) -> bool:
        """Return whether another request would have to wait for space."""
        return len(self.waiting) >= self._backlog

    def needs_worker(self) -> bool:
        """Return whether another worker is permitted and more requests wait than there are idle workers."""
        return len(self.waiting) > self.idle and self.workers < self._most_workers

    def may_release_worker(self) -> bool:
        """Return whether a worker may end after its request because there are too many after a burst.

        The criterion is the minimum number of other idle workers over some time, because work rotates, so
        that no single worker stays idle for long.
        """
        self._least_idle = min(self._least_idle, self.idle)
        if self._clock() >= self._look_at:
            self._surplus = self._least_idle - IDLE_WORKERS
            self._least_idle, self._look_at = self.idle, self._clock() + IDLE_TIME
        if self._surplus <= 0 or self.waiting:
            return False
        self._surplus -= 1
        return True


class RequestServer:
    """Server for requests that arrive on an address.

    Lifecycle: `start` binds and serves; `stop` waits until requests that were read are answered. `dropped`
    counts requests that are unreadable or above a limit, `superseded` those that were skipped because their
    peers sent them again.
    """

    def __init__(
        self,
        handler: Handler,
        addresses: Sequence[str],
        *,
        context: GreenContext | None = None,
        supervisor: Supervisor,
        limits: RequestLimits | None = None,
        is_costly: Callable[[bytes], bool] = lambda payload: False,
        asks: Callable[[Arrival], Hashable] = lambda arrival: None,
        clock: Clock = time.monotonic,
        places: ConnectionLimits | None = None,
        carrier: Carrier = ZEROMQ,
    ) -> None:
        """Create the server; `asks` returns a costly request's identity, or None if it cannot be repeated.

        `places` are connection slots shared with other ports of this process. `context` is unused, because a
        listening port is not a libzmq socket; it lets callers create all parts of a network in the same way.
        """
        limits = RequestLimits() if limits is None else limits
        self._handler = handler
        self._encode = carrier.encode_reply
        self._messages = MessageQueue()
        self._listener = Listener(
            addresses,
            new_session=partial(carrier.request_session, limits.max_message),
            new_tls=carrier.new_tls,
            supervisor=supervisor,
            places=shared_by_ports(fd_limit.limit()) if places is None else places,
            on_message=self._messages.put,
            clock=clock,
        )
        self._supervisor = supervisor
        self._limits = limits
        self._is_costly = is_costly
        self._asks = asks
        self._clock = clock
        self._line = _Line(limits.backlog, limits.workers, limits.patience, clock)
        self._costly_line = _Line(limits.costly_backlog, limits.costly_workers, limits.patience, clock)
        self._held = 0
        self._held_by: collections.Counter[str] = collections.Counter()
        self._room = gevent.event.Event()
        self._logged_at: dict[str, float] = {}
        self._replies: Any = gevent.queue.Queue(maxsize=REPLIES)
        self._open: collections.Counter[bytes] = collections.Counter()
        self._quiet = gevent.event.Event()
        self._quiet.set()
        self._turns = TimeSlice()
        self._greenlets: list[Any] = []
        self._reader: Any = None
        self.addresses: list[str] = []
        self.dropped = 0
        self.superseded = 0

    def start(self) -> None:
        """Bind and serve; raises OSError when an address is taken."""
        self._listener.start()
        self.addresses += self._listener.addresses
        self._reader = self._supervisor.spawn(self._read, name="request reader")
        self._greenlets.append(self._supervisor.spawn(self._write, name="request writer"))

    def stop(self, *, timeout: float = 10.0) -> bool:
        """Stop reading, give open requests `timeout` seconds, close; return whether all were answered."""
        if self._reader is None:
            return True
        self._listener.stop_accepting()
        self._reader.kill()
        answered = bool(self._quiet.wait(timeout))
        gevent.killall(self._greenlets)
        self._listener.stop(linger=LINGER)
        self._reader = None
        return answered

    @property
    def waiting(self) -> tuple[int, int]:
        """Numbers of ordinary and of costly requests that wait for a worker."""
        return len(self._line.waiting), len(self._costly_line.waiting)

    def __len__(self) -> int:
        """Return the number of open requests."""
        return sum(self._open.values())

    def _read(self) -> None:
        turns = TimeSlice()
        while True:
            connection, frames = self._messages.get()
            self._enqueue([connection.number.to_bytes(8, "big"), *frames], connection)
            turns.pause()

    def _enqueue(self, frames: Sequence[bytes], connection: PeerConnection) -> None:
        """Queue one message, or drop it."""
        address = connection.address
        route = _route(frames)
        if not route or self._open[route[0]] >= self._limits.per_connection:
            self._drop(frames)
            return
        payload = frames[len(route)]
        size = len(payload)
        if size > SMALL and self._held_by[address] + size > self._limits.open_bytes // 2:
            self._log_limit(
                "%s has reached its limit of open request bytes; further large requests are dropped", address
            )
            self._drop(frames)
            return
        arrival = Arrival(payload, address, connection.descriptor)
        is_costly = self._is_costly(arrival.payload)
        if is_costly and size > self._limits.costly_size:
            self._refuse(route, arrival)
            return
        line = self._costly_line if is_costly else self._line
        if is_costly and (line.is_full() or line.held + size > self._limits.costly_bytes):
            self._log_limit("the queue of sign-ins is full; further ones are dropped, and their peers retry")
            self._drop(frames)
            return
        self._hold(size, address)
        self._open[route[0]] += 1
        self._quiet.clear()
        try:
            line.put(self._pending(route, arrival, is_costly=is_costly))
        except BaseException:
            # The connection closed while its request waited for space, so no reply can be sent.
            self._close(route[0])
            self._release(arrival)
            raise
        if line.needs_worker():
            line.workers += 1
            self._greenlets.append(self._supervisor.spawn(self._run_worker, line, name="request"))

    def _pending(self, route: list[bytes], arrival: Arrival, *, is_costly: bool) -> _Pending:
        if not is_costly:
            return _Pending(route, arrival)
        return _Pending(route, arrival, self._asks(arrival), self._clock())

    def _drop(self, frames: Sequence[bytes]) -> None:
        self.dropped += 1
        log.debug("dropped a message of %d frames", len(frames))

    def _refuse(self, route: Sequence[bytes], arrival: Arrival) -> None:
        """Refuse a costly request of excessive size without queueing it."""
        self._log_limit("%s: a sign-in of %d bytes is refused", arrival.address, len(arrival.payload))
        self.dropped += 1
        if self._replies.full():
            return
        self._open[route[0]] += 1
        self._quiet.clear()
        self._replies.put([*route, REFUSAL])

    def _hold(self, size: int, address: str) -> None:
        """Count a request's bytes as held; wait while all open requests hold too many."""
        while self._held and self._held + size > self._limits.open_bytes:
            self._log_limit("open requests hold %d bytes; reading waits until some are answered", self._held)
            self._room.clear()
            self._room.wait()
        self._held += size
        self._held_by[address] += size

    def _release(self, arrival: Arrival) -> None:
        size = len(arrival.payload)
        self._held -= size
        self._held_by[arrival.address] -= size
        if self._held_by[arrival.address] <= 0:
            del self._held_by[arrival.address]
        self._room.set()

    def _log_limit(self, text: str, *words: object) -> None:
        """Log that a bound is reached, at most once per interval."""
        now = self._clock()
        if now - self._logged_at.get(text, -LOG_INTERVAL) >= LOG_INTERVAL:
            self._logged_at[text] = now
            log.warning(text, *words)

    def _run_worker(self, line: _Line) -> None:
        """Serve requests until there are too many workers."""
        is_needed = True
        while is_needed:
            line.idle += 1
            try:
                pending, is_superseded = line.get()
            finally:
                line.idle -= 1
            self.superseded += is_superseded
            try:
                reply = None if is_superseded else answer(self._handler, pending.arrival)
            finally:
                self._release(pending.arrival)
            if reply is None:
                self._close(pending.route[0])
            else:
                self._replies.put([*pending.route, reply])
            self._turns.pause()
            is_needed = not line.may_release_worker()
        line.workers -= 1
        self._greenlets.remove(gevent.getcurrent())

    def _write(self) -> None:
        while True:
            frames = self._replies.get()
            connection = self._listener.get(int.from_bytes(frames[0], "big"))
            # Never waits: replies to disconnected peers are dropped, and slow readers have a queue.
            if connection is not None:
                connection.send(self._encode(frames[1:]))
            self._close(frames[0])

    def _close(self, connection: bytes) -> None:
        self._open[connection] -= 1
        if not self._open[connection]:
            del self._open[connection]
        if not self._open:
            self._quiet.set()


def _route(frames: Sequence[bytes]) -> list[bytes]:
    """Return the frames up to the first empty one, or [] if there is none or no payload follows it.

    Envelopes with further hops (a proxy in between) are answered on the same route.
    """
    route: list[bytes] = []
    for frame in frames[:-1]:
        route.append(frame)
        if len(route) > 1 and not route[-1]:
            return route
    return []

"""The master's request port: a ROUTER socket with one reader, one writer and a pool of handlers.

Why its own file: it owns the socket and promises one reply for each request.
Bounds: `backlog` requests wait (then reading stops, and peers' messages stay in their TCP buffers);
`per_connection` of one connection are open at once (more are dropped and counted: a REQ peer has
one); `workers` handlers run; replies wait for the writer (then handlers wait). Requests that `is_costly`
says take long wait in a queue of their own with a few workers of their own, so that a storm of them
leaves the others alone; when that queue is full they are dropped and counted, and their peers come again.
One that waited longer than its peer, which has asked again since, is left out (`superseded`).
Source: wire specification, sections 2.1 and 2.2.
"""

from __future__ import annotations

import collections
import dataclasses
import logging
import time
from collections.abc import Callable, Hashable, Sequence
from typing import Any

import gevent
import gevent.event
import gevent.queue
import zmq.green as zmq

from salt_g.hub import Supervisor
from salt_g.transport.answering import answer
from salt_g.transport.fair_queue import FairQueue
from salt_g.transport.interfaces import Arrival, Handler
from salt_g.transport.turns import Turns
from salt_g.transport.zeromq import MAX_MESSAGE, GreenContext, bind, receive, set_link_options

log = logging.getLogger(__name__)

#: Tells the moment (monotonic, s).
Clock = Callable[[], float]

#: Frames of one message: the connection, hops on the way, the empty one, the payload.
MAX_FRAMES = 16
#: Replies that may wait for the writer.
REPLIES = 1024
#: How long a closed socket still delivers replies (ms).
LINGER_MS = 1000
#: How long a peer waits at least before it asks again (s); stock's minions do after 5 (`auth_timeout`).
PATIENCE = 5.0
#: Workers that had nothing to do for so long (s) end, but for these few.
IDLE_TIME = 10.0
IDLE_WORKERS = 4


@dataclasses.dataclass(frozen=True)
class _Pending:
    """A request with the frames that its reply begins with; the first is the connection.

    `asks` is what the request says besides whose turn it is: two that ask the same have one answer.
    """

    route: list[bytes]
    arrival: Arrival
    asks: Hashable = None
    came: float = 0.0


class _Line:
    """Requests that wait, and the workers that serve them."""

    def __init__(self, backlog: int, most_workers: int, patience: float, clock: Clock) -> None:
        self.waiting: FairQueue[_Pending] = FairQueue(backlog)
        self.workers = 0
        self.idle = 0
        self._least_idle = 0
        self._surplus = 0
        self._look_at = clock()
        self._clock = clock
        self._backlog = backlog
        self._most_workers = most_workers
        self._patience = patience
        self._newest: dict[Hashable, _Pending] = {}

    def put(self, pending: _Pending) -> None:
        """Add a request; wait for a place."""
        if pending.asks is not None:
            self._newest[pending.asks] = pending
        self.waiting.put(pending.arrival.address, pending)

    def get(self) -> tuple[_Pending, bool]:
        """Return the next request, and whether its peer has given it up and asked again."""
        pending = self.waiting.get()
        if self._newest.get(pending.asks) is pending:
            del self._newest[pending.asks]
        is_repeated = pending.asks in self._newest
        return pending, is_repeated and self._clock() - pending.came >= self._patience

    def is_full(self) -> bool:
        """Return whether another request would have to wait for its place."""
        return len(self.waiting) >= self._backlog

    def needs_worker(self) -> bool:
        """Return whether more requests wait than workers are free, and there may be more workers."""
        return len(self.waiting) > self.idle and self.workers < self._most_workers

    def lets_go(self) -> bool:
        """Return whether a worker that has done its request may end; after a burst there are too many.

        Counted is how many others were idle at least: work goes round, so none of them is idle for long.
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
    """Answers the requests that arrive on an address.

    Life: `start` binds and begins; `stop` lets what was read be answered. `dropped` counts what had
    no readable envelope or exceeded its connection's share, `superseded` what nobody waited for any more.
    """

    def __init__(
        self,
        handler: Handler,
        addresses: Sequence[str],
        *,
        context: GreenContext,
        supervisor: Supervisor,
        workers: int = 256,
        backlog: int = 4096,
        per_connection: int = 16,
        max_message: int = MAX_MESSAGE,
        is_costly: Callable[[bytes], bool] = lambda payload: False,
        asks: Callable[[Arrival], Hashable] = lambda arrival: None,
        patience: float = PATIENCE,
        costly_workers: int = 16,
        costly_backlog: int = 16_384,
        clock: Clock = time.monotonic,
    ) -> None:
        """`asks` tells what a costly request asks for, None for nothing that could be asked twice."""
        self._handler = handler
        self._wanted = list(addresses)
        self._context = context
        self._supervisor = supervisor
        self._per_connection = per_connection
        self._max_message = max_message
        self._is_costly = is_costly
        self._asks = asks
        self._clock = clock
        self._line = _Line(backlog, workers, patience, clock)
        self._costly_line = _Line(costly_backlog, costly_workers, patience, clock)
        self._replies: Any = gevent.queue.Queue(maxsize=REPLIES)
        self._open: collections.Counter[bytes] = collections.Counter()
        self._quiet = gevent.event.Event()
        self._quiet.set()
        self._turns = Turns()
        self._greenlets: list[Any] = []
        self._reader: Any = None
        self._socket: Any = None
        self.addresses: list[str] = []
        self.dropped = 0
        self.superseded = 0

    def start(self) -> None:
        """Bind and serve; raises OSError when an address is taken."""
        self._socket = self._make_socket()
        for address in self._wanted:
            self.addresses.append(bind(self._socket, address))
        self._reader = self._supervisor.spawn(self._read, name="request reader")
        self._greenlets.append(self._supervisor.spawn(self._write, name="request writer"))

    def stop(self, *, timeout: float = 10.0) -> bool:
        """Stop reading, give open requests `timeout` seconds, close; return whether all were answered."""
        if self._socket is None:
            return True
        self._reader.kill()
        answered = bool(self._quiet.wait(timeout))
        gevent.killall(self._greenlets)
        self._socket.close(LINGER_MS)
        self._socket = None
        return answered

    @property
    def waiting(self) -> tuple[int, int]:
        """How many requests wait for a worker, and how many costly ones."""
        return len(self._line.waiting), len(self._costly_line.waiting)

    def __len__(self) -> int:
        """Return how many requests are open."""
        return sum(self._open.values())

    def _make_socket(self) -> Any:
        socket = self._context.socket(zmq.ROUTER)
        for address in self._wanted:
            set_link_options(socket, address, idle=60, max_message=self._max_message)
        socket.setsockopt(zmq.ROUTER_HANDOVER, 1)
        socket.setsockopt(zmq.BACKLOG, 1000)
        socket.setsockopt(zmq.TCP_KEEPALIVE_INTVL, 15)
        socket.setsockopt(zmq.TCP_KEEPALIVE_CNT, 3)
        socket.setsockopt(zmq.LINGER, LINGER_MS)
        return socket

    def _read(self) -> None:
        turns = Turns()
        while True:
            self._take(receive(self._socket, MAX_FRAMES, turns))
            turns.pause()

    def _take(self, frames: Sequence[Any]) -> None:
        """Queue one message, or drop it."""
        route = _route(frames)
        if not route or self._open[route[0]] >= self._per_connection:
            self._drop(frames)
            return
        last = frames[len(route)]
        arrival = Arrival(last.bytes, _peer_address(last), _descriptor(last))
        is_costly = self._is_costly(arrival.payload)
        line = self._costly_line if is_costly else self._line
        if is_costly and line.is_full():
            self._drop(frames)
            return
        self._open[route[0]] += 1
        self._quiet.clear()
        try:
            line.put(self._pending(route, arrival, is_costly=is_costly))
        except BaseException:
            # Ended while it waited for a place: nobody will answer this one.
            self._close(route[0])
            raise
        if line.needs_worker():
            line.workers += 1
            self._greenlets.append(self._supervisor.spawn(self._work, line, name="request"))

    def _pending(self, route: list[bytes], arrival: Arrival, *, is_costly: bool) -> _Pending:
        if not is_costly:
            return _Pending(route, arrival)
        return _Pending(route, arrival, self._asks(arrival), self._clock())

    def _drop(self, frames: Sequence[Any]) -> None:
        self.dropped += 1
        log.debug("dropped a message of %d frames", len(frames))

    def _work(self, line: _Line) -> None:
        """Serve requests until there are too many who do."""
        is_needed = True
        while is_needed:
            line.idle += 1
            try:
                pending, is_superseded = line.get()
            finally:
                line.idle -= 1
            self.superseded += is_superseded
            reply = None if is_superseded else answer(self._handler, pending.arrival)
            if reply is None:
                self._close(pending.route[0])
            else:
                self._replies.put([*pending.route, reply])
            self._turns.pause()
            is_needed = not line.lets_go()
        line.workers -= 1
        self._greenlets.remove(gevent.getcurrent())

    def _write(self) -> None:
        while True:
            frames = self._replies.get()
            # A ROUTER never waits: replies to peers that went away or do not read are dropped by libzmq.
            self._socket.send_multipart(frames)
            self._close(frames[0])

    def _close(self, connection: bytes) -> None:
        self._open[connection] -= 1
        if not self._open[connection]:
            del self._open[connection]
        if not self._open:
            self._quiet.set()


def _route(frames: Sequence[Any]) -> list[bytes]:
    """Return the frames up to the first empty one, [] when no payload follows it.

    Envelopes with further hops (a proxy in between) are answered the way they came.
    """
    route: list[bytes] = []
    for frame in frames[:-1]:
        route.append(frame.bytes)
        if len(route) > 1 and not route[-1]:
            return route
    return []


def _peer_address(frame: Any) -> str:
    try:
        return str(frame.get("Peer-Address"))
    except zmq.ZMQError:
        return ""


def _descriptor(frame: Any) -> int:
    try:
        return int(frame.get(zmq.SRCFD))
    except (zmq.ZMQError, AttributeError):
        # A libzmq that does not tell it.
        return -1

"""Connection of the HTTP API to its master, which carries concurrent orders and all events.

When the connection is lost, pending orders fail, and the link tries to reconnect until it succeeds.
Shapes: see `master/calls/front_end.py`.
Units: seconds.
Errors of `ask` and `fire`: MasterUnreachable, ClientError for an error that the master returns, Refusal for
data that cannot be serialized.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Callable
from typing import Any

import gevent
import gevent.event
import gevent.lock
import gevent.socket

from salt_g.client.frames import FrameCutter, frame
from salt_g.errors import ClientError, MasterUnreachable, SaltGError, WireError
from salt_g.http_api.messages import Refusal
from salt_g.process.periodic_loop import PeriodicLoop
from salt_g.process.supervisor import Supervisor
from salt_g.shapes.loads import EventFields, Load
from salt_g.transport.time_slice import TimeSlice

log = logging.getLogger(__name__)

#: File name of the master's socket in `sock_dir`.
SOCKET = "salt_g_api.ipc"
#: Minimum and maximum pause between two attempts to connect (s).
FIRST_PAUSE, LAST_PAUSE = 0.1, 5.0
#: Timeout for connecting to the master, for sending to it, and for firing an event (s).
SEND_TIMEOUT = 30.0
_CHUNK = 1 << 18


class MasterLink:
    """Connection to the master. Lifecycle: `start`, `stop`."""

    def __init__(
        self,
        sock_dir: str,
        *,
        supervisor: Supervisor,
        on_event: Callable[[bytes], None],
        on_gap: Callable[[], None],
    ) -> None:
        """Initialize; `on_event` gets each event, `on_gap` is called when events may have been missed."""
        self._path = os.path.join(sock_dir, SOCKET)
        self._supervisor = supervisor
        self._on_event = on_event
        self._on_gap = on_gap
        self._socket: Any = None
        self._writing: Any = gevent.lock.BoundedSemaphore(1)
        self._pending: dict[int, Any] = {}
        self._last = 0
        self._greenlet: Any = None
        self._connected: Any = gevent.event.Event()
        self._pause = FIRST_PAUSE
        self._is_reported = False

    @property
    def is_connected(self) -> bool:
        """Whether the link is connected to the master."""
        return bool(self._connected.is_set())

    def start(self) -> None:
        """Connect in the background, and again whenever the connection is lost."""
        loop = PeriodicLoop("master link", self._connect, self._next_pause)
        self._greenlet = self._supervisor.spawn(loop.run, name=loop.name)

    def stop(self) -> None:
        """Disconnect."""
        if self._greenlet is not None:
            self._greenlet.kill()

    def wait(self, timeout: float) -> bool:
        """Wait for the connection; return whether it is established."""
        return bool(self._connected.wait(timeout))

    def ask(self, load: Load, source: str, timeout: float) -> Any:
        """Send an order of a client at the address `source` and return the reply."""
        return self._call({"load": load, "source": source}, timeout)

    def fire(self, tag: str, data: EventFields) -> None:
        """Fire an event on the master."""
        self._call({"fire": [tag, data]}, SEND_TIMEOUT)

    def _call(self, message: Load, timeout: float) -> Any:
        if self._socket is None:
            raise MasterUnreachable(f"no master serves {self._path}; is it running, with external_auth?")
        self._last += 1
        number = self._last
        packed = _packed({"n": number, **message})
        answer: Any = gevent.event.AsyncResult()
        self._pending[number] = answer
        try:
            self._send(packed)
            reply: Load = answer.get(timeout=timeout)
        except gevent.Timeout:
            raise MasterUnreachable(f"the master has not answered within {timeout:g} s") from None
        except OSError as exc:
            raise MasterUnreachable(f"{self._path}: {exc}") from exc
        finally:
            self._pending.pop(number, None)
        if "error" in reply:
            raise ClientError(str(reply["error"]))
        return reply.get("reply")

    def _send(self, packed: bytes) -> None:
        with self._writing:
            if self._socket is None:
                raise OSError("the connection to the master was lost")
            with gevent.Timeout(SEND_TIMEOUT, TimeoutError("the master does not read what it is sent")):
                self._socket.sendall(packed)

    def _connect(self) -> None:
        """Serve one connection until it ends; while attempts fail, the pauses between them grow."""
        try:
            self._serve_one()
            self._pause, self._is_reported = FIRST_PAUSE, False
        except (OSError, SaltGError) as exc:
            if not self._is_reported:
                log.warning("no connection to the master (%s): %s; trying again", self._path, exc)
                self._is_reported = True

    def _next_pause(self) -> float:
        pause = self._pause
        self._pause = min(LAST_PAUSE, pause * 2)
        return pause

    def _serve_one(self) -> None:
        """Connect and read until the connection ends."""
        connection = gevent.socket.socket(gevent.socket.AF_UNIX)
        connection.settimeout(SEND_TIMEOUT)
        try:
            connection.connect(self._path)
            connection.settimeout(None)
            log.info("connected to the master at %s", self._path)
            self._socket = connection
            self._on_gap()
            self._connected.set()
            self._read(connection)
        finally:
            self._connected.clear()
            self._socket = None
            connection.close()
            self._fail_pending()
        log.warning("the master has closed %s; connecting again", self._path)

    def _read(self, connection: Any) -> None:
        cutter = FrameCutter()
        turns = TimeSlice()
        while data := connection.recv(_CHUNK):
            for message in cutter.feed(data):
                turns.pause()
                if "event" in message:
                    self._on_event(message["event"])
                    continue
                if "lost" in message:
                    log.warning("the API read too slowly; the master has dropped %s events", message["lost"])
                    self._on_gap()
                    continue
                answer = self._pending.get(message.get("n", 0))
                if answer is not None:
                    answer.set(message)

    def _fail_pending(self) -> None:
        lost = MasterUnreachable("the connection to the master was lost")
        for answer in self._pending.values():
            answer.set_exception(lost)


def _packed(message: Load) -> bytes:
    """Return a message as a frame; raise Refusal if a client's data in it cannot be serialized."""
    try:
        return frame(message)
    except WireError as exc:
        raise Refusal(400, str(exc)) from exc

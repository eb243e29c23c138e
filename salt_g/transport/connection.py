"""Accepted connection: bounded reads, non-blocking writes.

Callbacks run in the hub and must not wait. One read is limited to `CHUNK` bytes (`LARGE_CHUNK` within a large
message), so a peer that sends without a pause shares the hub with the others.
Bounds: a connection is not read while `INBOX` of its messages are unprocessed, or while it leaves
`MAX_UNREAD` bytes of replies unread.
Units: seconds, bytes.
"""

from __future__ import annotations

import collections
from collections.abc import Callable, Sequence
from typing import Any

import gevent

from salt_g.errors import WireError
from salt_g.transport.carriers import PeerSession, TlsSession

#: Maximum number of bytes read at once, normally and for a frame known to be large.
CHUNK = 16 * 1024
LARGE_CHUNK = 256 * 1024
#: Maximum number of unprocessed messages of a connection.
INBOX = 16
#: Limit of unread replies (bytes); above it, no further requests of the peer are read.
MAX_UNREAD = 1024 * 1024
#: Maximum number of pieces written by one system call; the system accepts 1,024.
PIECES = 64

#: Time limit for the peer's greeting and READY (s).
HANDSHAKE_TIME = 30.0
#: Maximum time without progress in sending (s).
STALLED_TIME = 60.0
#: Silence, in heartbeat intervals, after which a PING is sent, and after which the peer is considered dead.
#: Our own minions send a PING at each interval.
ASK_AFTER = 1.5
DEAD_AFTER = 4.0


class PeerConnection:
    """Connection of one peer. Lifecycle: `start`, `close`. It calls the `on_...` methods of its owner.

    `number` is never reused. `messages` counts received messages. The owner fills and empties `inbox`, whose
    messages have `queued` bytes in total, and keeps in `held` how many bytes the connection holds.
    """

    __slots__ = (
        *("number", "address", "session", "inbox", "messages", "opened_at", "heard_at", "wrote_at"),
        *("held", "queued", "is_closed", "_socket", "_owner", "_reader", "_writer", "_out", "_unsent"),
        *("_is_paused", "_clock", "_tls", "topics", "refused"),
    )

    def __init__(
        self,
        number: int,
        socket: Any,
        address: str,
        session: PeerSession,
        owner: Any,
        clock: Callable[[], float],
        tls: TlsSession | None = None,
    ) -> None:
        self.number = number
        self.address = address
        self.session = session
        self.inbox: collections.deque[list[bytes]] = collections.deque()
        self.messages = 0
        self.opened_at = self.heard_at = self.wrote_at = clock()
        self.held = self.queued = 0
        self.topics: set[bytes] = set()
        self.refused = 0
        self.is_closed = False
        self._clock = clock
        self._tls = tls
        self._owner = owner
        self._socket = socket
        self._out: collections.deque[Any] = collections.deque()
        self._unsent = 0
        self._is_paused = False
        loop = gevent.get_hub().loop
        self._reader = loop.io(socket.fileno(), 1)
        self._writer = loop.io(socket.fileno(), 2)

    @property
    def waiting(self) -> int:
        """Number of pieces waiting to be sent."""
        return len(self._out)

    def descriptor(self) -> int:
        """Return the file descriptor of the connection, or -1 once it is closed."""
        return -1 if self.is_closed else int(self._socket.fileno())

    def start(self) -> None:
        """Send our greeting, if the protocol has one, and start reading."""
        self._reader.start(self._owner.on_readable, self)
        if greeting := self.session.take_output():
            self.send([greeting])

    def send(self, pieces: Sequence[bytes]) -> None:
        """Send a message, queueing whatever the system does not accept at once; never waits."""
        if self.is_closed:
            return
        self._queue(pieces if self._tls is None else [self._tls.encrypt(pieces)])

    def _queue(self, pieces: Sequence[bytes]) -> None:
        was_empty = not self._out
        if was_empty and len(pieces) == 1 and self._sent_at_once(pieces[0]):
            return
        self._out.extend(pieces)
        self._unsent += sum(map(len, pieces))
        if not was_empty:
            return
        self.wrote_at = self._clock()
        self._write()
        if self._out and not self.is_closed:
            self._writer.start(self._on_writable)

    def _sent_at_once(self, piece: bytes) -> bool:
        """Send one piece, queueing what the system does not accept; return False if it accepts nothing."""
        try:
            sent = self._socket.send(piece)
        except (BlockingIOError, InterruptedError):
            return False
        except OSError:
            self.close()
            return True
        if sent == len(piece):
            return True
        self._out.append(memoryview(piece)[sent:])
        self._unsent += len(piece) - sent
        self.wrote_at = self._clock()
        self._writer.start(self._on_writable)
        return True

    def resume(self) -> None:
        """Resume reading if it is paused and the bounds permit it again."""
        if self._is_paused and not self.is_closed and self._may_read():
            self._is_paused = False
            self.heard_at = self._clock()
            self._deliver()
            if not self.is_closed and not self._is_paused:
                self._reader.start(self._owner.on_readable, self)

    def beat(self, now: float, beat: float) -> None:
        """Send a PING to a peer that has been silent for `ASK_AFTER` times `beat` seconds."""
        ping = self.session.ping
        if ping and self.session.is_ready and not self._out and now - self.heard_at > ASK_AFTER * beat:
            self.send([ping])

    def taken(self) -> None:
        """Update the count of held bytes after a message was processed; resume reading after the last one."""
        self._owner.on_taken(self)
        if not self.inbox:
            self.resume()

    def overdue(self, now: float, beat: float) -> str:
        """Return the reason why this connection must be closed now, or '' to keep it open."""
        if not self.session.is_ready:
            return "no handshake" if now - self.opened_at > HANDSHAKE_TIME else ""
        if self._out and now - self.wrote_at > STALLED_TIME:
            return "the peer does not read"
        # A peer without heartbeats whose host is down is found by the system's keepalive.
        if self._is_paused or not self.session.ping:
            return ""
        silence = now - self.heard_at
        if silence > DEAD_AFTER * beat:
            return "no heartbeat"
        return "silent for longer than it announced" if 0 < self.session.ttl < silence else ""

    def close(self) -> None:
        """Close the connection; messages in the inbox can still be processed."""
        if self.is_closed:
            return
        self.is_closed = True
        for watcher in (self._reader, self._writer):
            watcher.stop()
            watcher.close()
        self._socket.close()
        self._out.clear()
        self._owner.on_close(self)

    def _pause(self) -> None:
        self._is_paused = True
        self._reader.stop()

    def _may_read(self) -> bool:
        return len(self.inbox) < INBOX and self._unsent < MAX_UNREAD

    def read(self) -> None:
        """Read once and deliver the messages, unless reading is paused; the owner calls this in turns."""
        if self.is_closed or self._is_paused:
            return
        wanted = self.session.missing if self.session.is_ready else 0
        try:
            data = self._socket.recv(min(max(CHUNK, wanted), LARGE_CHUNK))
        except (BlockingIOError, InterruptedError):
            return
        except OSError:
            data = b""
        if not data:
            self.close()
            return
        self.heard_at = self._clock()
        if self._tls is not None:
            data = self._decrypted(self._tls, data)
        if data:
            self.session.feed(data)
            self._deliver()
        elif not self.is_closed and not self._may_read():
            # TLS itself may have queued an answer, for example to a request for new keys.
            self._pause()

    def _decrypted(self, tls: TlsSession, data: bytes) -> bytes:
        """Return decrypted bytes; send TLS's replies, and close the connection if TLS refuses the peer."""
        plain, error = b"", None
        try:
            plain = tls.decrypt(data)
        except WireError as exc:
            error = exc
        if output := tls.take_output():
            self._queue([output])
        if error is not None:
            self._owner.on_error(self, error)
            self.close()
        return b"" if self.is_closed else plain

    def _deliver(self) -> None:
        """Deliver received messages; pause reading at the connection's bounds."""
        try:
            while not self.is_closed:
                if not self._may_read():
                    self._pause()
                    break
                message = self.session.next_message()
                if message is None:
                    break
                self.messages += 1
                self._owner.on_message(self, message)
        except WireError as exc:
            self._owner.on_error(self, exc)
            self.close()
        if self.is_closed:
            return
        output = self.session.take_output()
        # If the peer leaves replies unread, its next PING needs no answer.
        if output and len(self._out) < INBOX:
            self.send([output])
        if not self.is_closed:
            self._owner.on_growth(self)

    def _on_writable(self) -> None:
        self._write()
        if self.is_closed:
            return
        if not self._out:
            self._writer.stop()
        self.resume()

    def _write(self) -> None:
        """Send as much as the system accepts."""
        while self._out:
            pieces = [self._out[number] for number in range(min(len(self._out), PIECES))]
            try:
                sent = self._socket.sendmsg(pieces)
            except (BlockingIOError, InterruptedError):
                return
            except OSError:
                self.close()
                return
            self.wrote_at = self._clock()
            self._unsent -= sent
            self._forget(sent)

    def _forget(self, sent: int) -> None:
        while sent:
            first = self._out.popleft()
            if sent < len(first):
                self._out.appendleft(memoryview(first)[sent:])
                return
            sent -= len(first)

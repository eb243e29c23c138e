"""Event streams to clients, as server-sent events or WebSocket messages.

Shapes: an event is `tag: T`, `data: {"data", "tag"}` and `id: <boot>-<number>`; stock's clients read the
first two lines. `event: gap` has the number of lost events; a comment every 15 s is a heartbeat.
Units: seconds.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Iterator

from salt_g.event.matching import accepts
from salt_g.http_api.event_log import EventLog, LoggedEvent, gap
from salt_g.http_api.event_rights import EventRights
from salt_g.transport.time_slice import TimeSlice

#: Interval of heartbeats (s), and pause before a client reconnects (ms).
HEARTBEAT, RETRY = 15.0, 400
#: Interval at which the rights of a stream's user are checked again (s).
RENEW = 60.0
#: Maximum size of a piece sent at once (bytes).
PIECE = 64 * 1024
#: Function that returns what precedes and follows the text of an event with a given id.
Writer = Callable[[str, LoggedEvent], tuple[bytes, bytes]]


class EventStream:
    """Stream of events for one client, until `close` is called or the login ends."""

    def __init__(
        self,
        log: EventLog,
        rights: EventRights,
        *,
        after: int,
        expire: float,
        tag: str = "",
        turns: TimeSlice | None = None,
        renew: Callable[[], EventRights | None] | None = None,
        clock: Callable[[], float] = time.time,
    ) -> None:
        """Initialize; `expire` is the end of the login, `tag` a prefix of the wanted tags.

        `after` is the number of the last event before the stream. `renew` returns the user's current rights,
        or None if the login was revoked.
        """
        self._log = log
        self._rights = rights
        self._place = after
        self._expire = expire
        self._wants = accepts(tag, "startswith")
        self._turns = turns or TimeSlice()
        self._clock = clock
        self._renew = renew
        self._renew_at = clock() + RENEW
        self.is_closed = False
        #: Number of events that this stream has lost.
        self.lost = 0

    def close(self) -> None:
        """End the stream."""
        self.is_closed = True
        self._log.wake()

    def events(self, write: Writer) -> Iterator[bytes]:
        """Yield pieces of the stream: events as formatted by `write`, gap notices, and b"" as a heartbeat.

        A piece holds whole events, or a part of one large event.
        """
        while not self.is_closed:
            left = self._expire - self._clock()
            if left <= 0 or not self._has_rights():
                return
            if self._log.wait(self._place, min(HEARTBEAT, left)):
                yield from self._pieces(write)
            elif not self.is_closed and self._expire - self._clock() > 0 and left >= HEARTBEAT:
                yield b""

    def _has_rights(self) -> bool:
        """Renew the rights when they are due; return whether the login is still valid."""
        if self._renew is None or self._clock() < self._renew_at:
            return True
        rights = self._renew()
        if rights is None:
            return False
        self._rights, self._renew_at = rights, self._clock() + RENEW
        return True

    def _pieces(self, write: Writer) -> Iterator[bytes]:
        """Yield the next events in one piece; a large event ends the piece and follows in slices."""
        parts: list[bytes] = []
        size = 0
        while size < PIECE and self._log.last > self._place and not self.is_closed:
            parts += self._missed()
            self._place, event = self._log.after(self._place)
            if self._wants(event.tag) and self._rights.may_see(event):
                before, after = write(f"{self._log.boot}-{self._place}", event)
                if len(event.text) > PIECE:
                    yield b"".join((*parts, before))
                    yield from self._slices(event.text)
                    yield after
                    return
                parts += (before, event.text, after)
                size += len(event.text)
            self._turns.pause()
        if parts:
            yield b"".join(parts)

    def _slices(self, text: bytes) -> Iterator[bytes]:
        """Yield a large text in slices, so that a stalled client holds one slice of the shared text."""
        for start in range(0, len(text), PIECE):
            if self.is_closed:
                return
            yield text[start : start + PIECE]
            self._turns.pause()

    def _missed(self) -> list[bytes]:
        """Return a list with the notice about events missing after the stream's position, [] if none are."""
        lost = self._log.lost_after(self._place)
        if lost:
            self.lost += lost
            return [gap(lost)]
        return [gap(None)] if self._log.has_gap(self._place) else []


def write_sse(id: str, event: LoggedEvent) -> tuple[bytes, bytes]:
    """Return the text before and after an event in a stream of server-sent events."""
    return b"tag: %s\ndata: " % _one_line(event.tag), b"\nid: %s\n\n" % id.encode()


def write_message(id: str, event: LoggedEvent) -> tuple[bytes, bytes]:
    """Return the text before and after an event in a WebSocket message, as stock sends it."""
    return b"data: ", b"\n\n"


def sse(stream: EventStream, *, has_gap: bool) -> Generator[bytes, None, None]:
    """Yield the body of a response with server-sent events; `has_gap` adds a notice of lost events."""
    yield b"retry: %d\n" % RETRY + (gap(None) if has_gap else b"")
    for piece in stream.events(write_sse):
        yield piece or b": alive\n\n"


def start_of(log: EventLog, last_id: str) -> tuple[int, bool]:
    """Return the number of the event after which a client with this Last-Event-ID resumes.

    The second value is True if an unknown number of events was lost, as after a restart of the API.
    """
    if not last_id:
        return log.last, False
    number = log.number_of(last_id)
    if number is None or number > log.last:
        return log.last, True
    return number, False


def _one_line(tag: str) -> bytes:
    return " ".join(tag.splitlines()).encode()

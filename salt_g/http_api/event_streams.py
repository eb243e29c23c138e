"""Streams of events to clients: server-sent events, and the messages of a WebSocket.

Shapes: an event is `tag: T`, `data: {"data", "tag"}` and `id: <boot>-<number>`; stock's clients read the
first two lines. `event: gap` has the number of lost events; a comment every 15 s shows that the server lives.
Units: seconds.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Iterator

from salt_g.event.matching import accepts
from salt_g.http_api.event_log import EventLog, LoggedEvent, gap
from salt_g.http_api.event_rights import EventRights
from salt_g.transport.time_slice import TimeSlice

#: Time between two signs of life, and what a client waits before it connects again (ms).
HEARTBEAT, RETRY = 15.0, 400
#: Time between two looks at the rights of a stream's user.
RENEW = 60.0
#: Most bytes that are sent in one piece.
PIECE = 64 * 1024
#: Returns what comes before and after the text of an event, for its id.
Writer = Callable[[str, LoggedEvent], tuple[bytes, bytes]]


class EventStream:
    """Events for one client, from its place in the log until `close`, or until its login is over."""

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
        """Initialize; `expire` is the end of the login, `tag` the beginning of the tags wanted.

        `renew` returns the present rights of the user, None when the login was revoked.
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
        """Yield pieces: events with what `write` puts around each, gaps, and b"" as sign of life.

        A piece holds whole events, or a part of a large one.
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
        """Renew the rights when it is time; return whether the login still counts."""
        if self._renew is None or self._clock() < self._renew_at:
            return True
        rights = self._renew()
        if rights is None:
            return False
        self._rights, self._renew_at = rights, self._clock() + RENEW
        return True

    def _pieces(self, write: Writer) -> Iterator[bytes]:
        """Yield the next events: those that fit into a piece, or those until a large one."""
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
        """Yield a large text in parts: streams share it, and a client that stands still holds one part."""
        for start in range(0, len(text), PIECE):
            if self.is_closed:
                return
            yield text[start : start + PIECE]
            self._turns.pause()

    def _missed(self) -> list[bytes]:
        """Return the report of events missing after this stream's place."""
        lost = self._log.lost_after(self._place)
        if lost:
            self.lost += lost
            return [gap(lost)]
        return [gap(None)] if self._log.has_gap(self._place) else []


def write_sse(id: str, event: LoggedEvent) -> tuple[bytes, bytes]:
    """Return the text before and after an event in the form of stock's clients."""
    return b"tag: %s\ndata: " % _one_line(event.tag), b"\nid: %s\n\n" % id.encode()


def write_message(id: str, event: LoggedEvent) -> tuple[bytes, bytes]:
    """Return the text before and after an event in a message of stock's WebSocket."""
    return b"data: ", b"\n\n"


def sse(stream: EventStream, *, has_gap: bool) -> Generator[bytes, None, None]:
    """Yield the body of a response with server-sent events; with `has_gap` some are lost already."""
    yield b"retry: %d\n" % RETRY + (gap(None) if has_gap else b"")
    for piece in stream.events(write_sse):
        yield piece or b": alive\n\n"


def start_of(log: EventLog, last_id: str) -> tuple[int, bool]:
    """Return the place after which a stream begins, for the Last-Event-ID of a client.

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

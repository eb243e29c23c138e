"""Ring buffer of the master's newest events, numbered, for the event streams of the HTTP API.

All streams read the same ring, each from its own position. An event is serialized once; a slow reader holds
no events and loses only those that the ring has dropped meanwhile. The ring also remembers the jobs and calls
to which events belong, because the right to see an event depends on them.
Shapes: the id of an event is `<boot>-<number>`; `boot` is new at each start. Numbers begin at 1.
Units: the size of an event is that of its packed form or, once a reader has requested it, of its JSON
(bytes).
"""

from __future__ import annotations

import collections
import json
import logging
import secrets
from collections.abc import Callable
from typing import Any, NamedTuple

import gevent.event

from salt_g.errors import WireError
from salt_g.http_api.negotiation import to_json
from salt_g.wire.events import TAG_END, unpack_event
from salt_g.wire.value_size import is_light

log = logging.getLogger(__name__)

#: Maximum number of events in the ring, and their maximum total size (bytes).
MAX_EVENTS, MAX_BYTES = 20_000, 32 * 1024 * 1024
#: Maximum number of remembered jobs and calls, and of minion ids in all of them.
MAX_JOBS, MAX_IDS = 20_000, 2_000_000
#: Size from which arguments count as large, and maximum total size of remembered events with large arguments
#: (bytes).
LARGE_ARGUMENTS, MAX_ARGUMENTS = 4096, 16 * 1024 * 1024


class EventOrigin(NamedTuple):
    """Job, or call of a runner or wheel function, as described by its first event; `minions` are ids."""

    kind: str
    user: str
    fun: Any
    arg: Any
    minions: tuple[str, ...]
    #: Size of the packed event if its arguments are large, else 0 (bytes).
    large: int = 0


def _count_nothing(size: int) -> None:
    """Ignore a size change of an event that is in no ring."""


class LoggedEvent:
    """Event of the ring; `text` is its JSON {"data", "tag"}, created for the first reader."""

    __slots__ = ("_body", "_grow", "_text", "tag", "work")

    def __init__(
        self,
        tag: str,
        body: bytes,
        work: EventOrigin | None,
        grow: Callable[[int], None] = _count_nothing,
    ) -> None:
        """Initialize; `grow` is called with each later change of the event's size in bytes."""
        self.tag = tag
        self.work = work
        self._body = body
        self._grow = grow
        self._text: bytes = b""

    @property
    def text(self) -> bytes:
        """The event as JSON."""
        if not self._text:
            before = self.size
            self._text = to_json({"data": _data(self._body), "tag": self.tag})
            # The packed body is no longer needed, and the JSON may be several times as long.
            self._body = b""
            self._grow(self.size - before)
        return self._text

    @property
    def size(self) -> int:
        """Size of the packed event or of its JSON, in bytes."""
        return len(self._body) + len(self._text)

    def leave(self) -> None:
        """Stop reporting size changes to the ring; a slow stream may still read the event."""
        self._grow = _count_nothing


class EventLog:
    """Ring buffer of events; the writer calls `add`, readers call `after` and `wait`."""

    def __init__(
        self, *, max_events: int = MAX_EVENTS, max_bytes: int = MAX_BYTES, max_ids: int = MAX_IDS
    ) -> None:
        self.boot = secrets.token_hex(4)
        self._max_events = max_events
        self._max_bytes = max_bytes
        self._events: collections.deque[LoggedEvent] = collections.deque()
        self._bytes = 0
        #: Number of the newest event.
        self.last = 0
        #: Numbers of events after which others may be missing, because the master dropped them or was away.
        self._gaps: collections.deque[int] = collections.deque(maxlen=100)
        self._work: collections.OrderedDict[str, EventOrigin] = collections.OrderedDict()
        self._max_ids = max_ids
        #: Shared tuples of ids, because jobs for the same minions share them: {ids: (ids, number of jobs)}.
        self._shared: dict[tuple[str, ...], tuple[tuple[str, ...], int]] = {}
        self._ids = 0
        #: {name: bytes} of jobs and calls with large arguments, the oldest first.
        self._large: collections.OrderedDict[str, int] = collections.OrderedDict()
        self._news: Any = gevent.event.Event()

    def __len__(self) -> int:
        return len(self._events)

    def add(self, body: bytes) -> None:
        """Add a packed event and wake the readers."""
        tag = body.partition(TAG_END)[0].decode("utf-8", "replace")
        self._events.append(event := LoggedEvent(tag, body, self._work_of(tag, body), self._grow))
        self._bytes += event.size
        self.last += 1
        self._drop_oldest()
        self.wake()

    def _grow(self, size: int) -> None:
        self._bytes += size
        self._drop_oldest()

    def _drop_oldest(self) -> None:
        while len(self._events) > self._max_events or (
            self._bytes > self._max_bytes and len(self._events) > 1
        ):
            dropped = self._events.popleft()
            self._bytes -= dropped.size
            dropped.leave()

    def note_gap(self) -> None:
        """Note that events may be missing after the newest one."""
        if self.last:
            self._gaps.append(self.last)
            self.wake()

    def wake(self) -> None:
        """Wake all readers."""
        news, self._news = self._news, gevent.event.Event()
        news.set()

    def wait(self, number: int, timeout: float) -> bool:
        """Wait for an event newer than `number`; return whether there is one."""
        if self.last <= number:
            self._news.wait(timeout)
        return self.last > number

    def lost_after(self, number: int) -> int:
        """Return how many events after `number` the ring has dropped."""
        return max(0, self.last - len(self._events) - number)

    def has_gap(self, number: int) -> bool:
        """Return whether events may be missing directly after the event `number`."""
        return number in self._gaps

    def after(self, number: int) -> tuple[int, LoggedEvent]:
        """Return (number, event) of the oldest event after `number`; there must be one."""
        first = self.last - len(self._events) + 1
        found = max(first, number + 1)
        return found, self._events[found - first]

    def number_of(self, id: str) -> int | None:
        """Return the number in an event's id, None if the id is malformed or of an earlier run."""
        boot, _, number = id.partition("-")
        return int(number) if boot == self.boot and number.isdecimal() and len(number) < 16 else None

    def _work_of(self, tag: str, body: bytes) -> EventOrigin | None:
        parts = tag.split("/", 4)
        if len(parts) < 3 or parts[0] != "salt" or parts[1] not in ("job", "run", "wheel"):
            return None
        name = f"{parts[1]}/{parts[2]}"
        # Only the first event counts, so that a later one cannot assign the job to another user.
        if len(parts) > 3 and parts[3] == "new" and name not in self._work:
            self._remember(name, _work(parts[1], _data(body), len(body)))
        return self._work.get(name)

    def _remember(self, name: str, work: EventOrigin) -> None:
        """Remember a job or call; above the limits, forget the oldest ones.

        Later events of a forgotten one are visible only to users who may see all events.
        """
        ids, jobs = self._shared.get(work.minions, (work.minions, 0))
        self._shared[ids] = (ids, jobs + 1)
        self._ids += 0 if jobs else len(ids)
        self._work[name] = work._replace(minions=ids)
        while len(self._work) > 1 and (len(self._work) > MAX_JOBS or self._ids > self._max_ids):
            self._forget(next(iter(self._work)))
        if work.large:
            self._large[name] = work.large
            while sum(self._large.values()) > MAX_ARGUMENTS:
                self._forget(next(iter(self._large)))

    def _forget(self, name: str) -> None:
        known = self._work.pop(name, None)
        self._large.pop(name, None)
        if known is None:
            return
        ids, jobs = self._shared.pop(known.minions)
        if jobs > 1:
            self._shared[ids] = (ids, jobs - 1)
        else:
            self._ids -= len(ids)


def _data(body: bytes) -> Any:
    """Return the data of an event, or {} if it is unreadable, so that one bad event stops no stream."""
    try:
        return unpack_event(body)[1]
    except WireError as exc:
        log.warning("the data of an event cannot be read: %s", exc)
        return {}


def _work(kind: str, data: Any, size: int) -> EventOrigin:
    """Return the job or call that its first event describes; `size` is the size of the packed event."""
    minions = data.get("minions")
    arg = data.get("arg", data.get("fun_args", []))
    is_small = is_light(arg, entries=LARGE_ARGUMENTS // 16, size=LARGE_ARGUMENTS)
    return EventOrigin(
        kind,
        str(data.get("user", "")),
        data.get("fun"),
        arg,
        tuple(map(str, minions)) if isinstance(minions, list) else (),
        0 if is_small else size,
    )


def gap(lost: int | None) -> bytes:
    """Return the notice that `lost` events are missing from a stream; None stands for an unknown number."""
    return b"event: gap\ndata: " + json.dumps({"lost": lost}).encode() + b"\n\n"

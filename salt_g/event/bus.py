"""In-memory event bus of one daemon.

Sockets, reactor, schedule and handlers all subscribe in the same way. Publishing never waits and never
switches greenlets, except in `fire_large`.
Units: seconds, bytes.
Errors: WireError for a tag or data that cannot be sent.
"""

from __future__ import annotations

import datetime
import logging
from collections.abc import Callable, Iterator
from types import TracebackType
from typing import Any

import gevent.event

from salt_g.event.matching import accepts
from salt_g.event.payloads import Payload
from salt_g.event.ring import Event, Ring
from salt_g.event.size_limit import trimmed
from salt_g.process.offload import offload, offload_heavy
from salt_g.process.redaction import redacted_output
from salt_g.shapes.loads import EventData, EventFields
from salt_g.wire.events import TAG_END, pack_event, stamp, unpack_event
from salt_g.wire.value_size import FEW_ENTRIES, has_few_entries

log = logging.getLogger(__name__)

#: Maximum size of an event (bytes), the default of `max_event_size`.
MAX_EVENT_BYTES = 1024 * 1024
#: Capacity of one subscriber's ring, in events and in bytes.
MAX_EVENTS = 10_000
MAX_BYTES = 32 * 1024 * 1024
#: Number of queued bytes above which events are kept only packed, because values take several times as much.
LAGGING = 1024 * 1024
#: Size (bytes) from which a native thread unpacks an event that was kept packed.
LARGE = 32 * 1024
#: Placeholder for the data of an event that is kept packed.
_PACKED: dict[str, Any] = {}
#: Maximum number of characters of an event's data in the log, and of bytes of an event that is unpacked for
#: the log.
_MOST_SHOWN = 2000
_MOST_READ = 1 << 16


def _now() -> datetime.datetime:
    return datetime.datetime.now(datetime.timezone.utc)


class Subscription:
    """One subscriber's queue of events, from `Bus.subscribe` to `close`. It has one reader."""

    def __init__(
        self,
        bus: Bus,
        name: str,
        accepts: Callable[[str], bool],
        ring: Ring,
        *,
        is_packed: bool = False,
        is_own: bool = False,
        has_readers: Callable[[], bool] = lambda: True,
    ) -> None:
        self.name = name
        #: Whether the subscription is limited to events of this daemon, without those of other masters in a
        #: cluster.
        self.is_own = is_own
        self._has_readers = has_readers
        self._is_packed = is_packed
        self.is_closed = False
        self._bus = bus
        self._accepts = accepts
        self._ring = ring
        self._ready: Any = gevent.event.Event()
        self._is_slow = False

    def __enter__(self) -> Subscription:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __len__(self) -> int:
        """Return the number of queued events."""
        return len(self._ring)

    def __iter__(self) -> Iterator[Event]:
        """Yield events until the subscription is closed."""
        while not self.is_closed:
            event = self.get()
            if event is not None:
                yield event

    @property
    def dropped(self) -> int:
        """Number of events dropped because this subscriber was too slow."""
        return self._ring.dropped

    def get(self, timeout: float | None = None) -> Event | None:
        """Return the next event, or None on timeout or when the subscription was closed."""
        if not self._ring and not self.is_closed:
            self._ready.clear()
            self._ready.wait(timeout)
        event = self._next()
        if event is None or not self._must_unpack(event):
            return event
        tag, data = offload_heavy(len(event.body) < LARGE, unpack_event, unpack_event, event.body)
        return Event(tag, data, event.body)

    def take(self) -> Event | None:
        """Return the next queued event, or None if there is none; never waits."""
        event = self._next()
        if event is not None and self._must_unpack(event):
            return Event(event.tag, unpack_event(event.body)[1], event.body)
        return event

    def _next(self) -> Event | None:
        event = self._ring.take()
        if event is None:
            self._is_slow = False
        return event

    def _must_unpack(self, event: Event) -> bool:
        return event.data is _PACKED and not self._is_packed

    def wants_of_others(self, tag: str) -> bool:
        """Return whether the subscriber accepts events with this tag from other masters."""
        return not self.is_own and self._accepts(tag) and self._has_readers()

    def offer(self, event: Event) -> None:
        """Queue an event if the subscriber accepts its tag; called by the bus."""
        if not self._accepts(event.tag):
            return
        if self._is_packed or self._ring.held > LAGGING:
            event = Event(event.tag, _PACKED, event.body)
        if self._ring.put(event) and not self._is_slow:
            # Logged once until the subscriber has caught up; the counter has the number of lost events.
            self._is_slow = True
            log.warning("subscriber %s is too slow for the event bus and loses events", self.name)
        self._ready.set()

    def close(self) -> None:
        """Unsubscribe; a waiting reader gets None."""
        self.is_closed = True
        self._bus.leave(self)
        self._ready.set()


class Bus:
    """Bus that distributes events from all parts of the daemon to its subscribers."""

    def __init__(
        self, *, max_event_bytes: int = MAX_EVENT_BYTES, clock: Callable[[], datetime.datetime] = _now
    ) -> None:
        self._max_event_bytes = max_event_bytes
        self._clock = clock
        self._subscriptions: tuple[Subscription, ...] = ()
        self._lost = 0
        #: Number of events fired or relayed.
        self.fired = 0

    @property
    def dropped(self) -> int:
        """Number of events dropped for slow subscribers, including closed ones."""
        return self._lost + sum(subscription.dropped for subscription in self._subscriptions)

    @property
    def subscriptions(self) -> tuple[Subscription, ...]:
        """Current subscriptions; their lengths and `dropped` are the bus's metrics."""
        return self._subscriptions

    def subscribe(
        self,
        tag: str = "",
        way: str = "startswith",
        *,
        name: str,
        max_events: int = MAX_EVENTS,
        max_bytes: int = MAX_BYTES,
        is_packed: bool = False,
    ) -> Subscription:
        """Subscribe to the events whose tags match `tag`, see `subscribe_by`; raises TargetError."""
        return self.subscribe_by(
            accepts(tag, way), name=name, max_events=max_events, max_bytes=max_bytes, is_packed=is_packed
        )

    def subscribe_by(
        self,
        accepts: Callable[[str], bool],
        *,
        name: str,
        max_events: int = MAX_EVENTS,
        max_bytes: int = MAX_BYTES,
        is_packed: bool = False,
        is_own: bool = False,
        has_readers: Callable[[], bool] = lambda: True,
    ) -> Subscription:
        """Subscribe to the events whose tags `accepts` matches; it is called for each event, so keep it fast.

        With `is_packed` their `data` is empty, because subscribers that only forward `body` need not hold
        both. With `is_own`, events of other masters in a cluster are left out. `has_readers` returns whether
        the subscriber has any reader to forward events to; if not, events of other masters are not built for
        it.
        """
        ring = Ring(max_events=max_events, max_bytes=max_bytes)
        subscription = Subscription(
            self, name, accepts, ring, is_packed=is_packed, is_own=is_own, has_readers=has_readers
        )
        self._subscriptions = (*self._subscriptions, subscription)
        return subscription

    def watch(self, tag: str = "", way: str = "startswith") -> Subscription:
        """Subscribe to the events whose tags match `tag`, for a plugin; see `services.protocols.Events`."""
        return self.subscribe(tag, way, name=f"watch for {tag or 'everything'}")

    def leave(self, subscription: Subscription) -> None:
        """Remove a subscription."""
        before = self._subscriptions
        self._subscriptions = tuple(other for other in before if other is not subscription)
        if len(self._subscriptions) < len(before):
            self._lost += subscription.dropped

    def fire(self, tag: str, data: EventFields) -> Event:
        """Stamp an event of our own and deliver it to its subscribers."""
        return self._publish(_made(tag, self._stamped(data), self._max_event_bytes))

    def fire_large(self, tag: str, data: EventFields, *, most: int = 0) -> Event:
        """Fire an event with possibly large data, packed in a native thread while other greenlets run.

        `most` is a larger size limit for this event (bytes).
        """
        limit = max(most, self._max_event_bytes)
        return self._publish(offload(_made, tag, self._stamped(data), limit))

    def fire_payload(self, payload: Payload) -> Event:
        """Fire an event built by `payloads.py` or `minion_policy.py`."""
        return self.fire(payload.tag, payload.data)

    def relay(self, body: bytes) -> Event:
        """Forward an event packed by a local program; without a stamp, or if too large, it is fired anew."""
        tag, data = unpack_event(body)
        if "_stamp" not in data or len(body) > self._max_event_bytes:
            return self.fire(tag, data)
        return self._publish(Event(tag, data, body))

    def relay_packed(self, body: bytes) -> Event:
        """Forward an event packed and stamped by another daemon; only subscribers that read it unpack it."""
        tag = body.partition(TAG_END)[0].decode("utf-8", "replace")
        return self._publish(Event(tag, _PACKED, body))

    def is_wanted_of_others(self, tag: str) -> bool:
        """Return whether any subscriber accepts events with this tag from other masters."""
        return any(one.wants_of_others(tag) for one in self._subscriptions)

    def deliver(self, body: bytes) -> None:
        """Deliver an event of another master in the packed form in which it arrived."""
        tag, data = unpack_event(body)
        self._deliver(Event(tag, data, body))

    def deliver_payload(self, payload: Payload) -> None:
        """Deliver an event of another master, built from its data."""
        self._deliver(_made(payload.tag, self._stamped(payload.data), self._max_event_bytes))

    def _deliver(self, event: Event) -> None:
        for subscription in self._subscriptions:
            if not subscription.is_own:
                subscription.offer(event)

    def _stamped(self, data: EventFields) -> EventData:
        return {**data, "_stamp": stamp(self._clock())}

    def _publish(self, event: Event) -> Event:
        if log.isEnabledFor(logging.DEBUG):
            log.debug("event %s: %s", event.tag, _shown(event))
        self.fired += 1
        # Subscribing and unsubscribing replace the tuple and do not modify it.
        for subscription in self._subscriptions:
            subscription.offer(event)
        return event


def _shown(event: Event) -> str:
    """Return the data of an event for the log: redacted and cut, or only its size if large."""
    if event.data is _PACKED or len(event.body) > _MOST_READ:
        return f"{len(event.body)} bytes"
    text = redacted_output(repr(event.data))
    return text if len(text) <= _MOST_SHOWN else f"{text[:_MOST_SHOWN]}… ({len(text)} characters)"


def _made(tag: str, data: EventData, most: int) -> Event:
    """Return an event of at most `most` bytes, trimming large values if necessary."""
    body = pack_event(tag, data)
    if most <= MAX_EVENT_BYTES and len(body) > FEW_ENTRIES and not has_few_entries(data):
        # Every reader unpacks the event on a hub, so the limit applies to bytes and entries alike.
        most = FEW_ENTRIES
    if len(body) > most:
        rest = len(tag) + len(TAG_END)
        data = trimmed(data, most - rest, len(body) - rest)
        body = pack_event(tag, data)
    return Event(tag, data, body)

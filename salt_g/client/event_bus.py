"""Event bus of the master for Python programs: stock's `get_event`, `iter_events`, `fire_event`.

Shapes: an event is its data, with `full=True` {"tag", "data"}. Units: seconds.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import TYPE_CHECKING

from salt_g.client.connect import open_link
from salt_g.client.link import Link, MasterEvent
from salt_g.event.matching import accepts

if TYPE_CHECKING:
    from salt_g.shapes import Opts, OptsDraft
    from salt_g.shapes.loads import EventData

#: Longest wait for an event in one call of the link (s).
_WAIT = 60.0
#: Maximum number of subscribed events kept for a later `get_event`; the oldest are dropped first.
_MAX_PENDING = 10_000


class LocalEventBus:
    """Listener on the bus of the local master; lifecycle: created, used by one thread, `destroy`."""

    def __init__(self, opts: Opts | None = None, *, link: Link | None = None) -> None:
        """Connect to the master with the settings `opts` (default: the config file's), or use `link`."""
        self.opts = _settings() if opts is None else opts
        self._link = open_link(self.opts) if link is None else link
        self._link.subscribe("")
        self._tags: dict[str, str | None] = {}
        self._pending: list[MasterEvent] = []

    def __enter__(self) -> LocalEventBus:
        return self

    def __exit__(self, *_: object) -> None:
        self.destroy()

    def destroy(self) -> None:
        """Close the connection."""
        self._link.close()

    def subscribe(self, tag: str = "", match_type: str | None = None) -> None:
        """Keep events with this tag for a later `get_event`, even while waiting for other tags."""
        self._tags[tag] = match_type

    def unsubscribe(self, tag: str, match_type: str | None = None) -> None:
        """Stop keeping events with this tag."""
        self._tags.pop(tag, None)

    def get_event(
        self,
        wait: float = 5,
        tag: str = "",
        full: bool = False,
        match_type: str | None = None,
        no_block: bool = False,
        auto_reconnect: bool = False,
    ) -> EventData | None:
        """Return the next event whose tag matches, or None on timeout; `wait=0` waits without limit."""
        want = accepts(tag, self._way(match_type))
        for place, event in enumerate(self._pending):
            if want(event.tag):
                return _as_result(self._pending.pop(place), full=full)
        deadline = time.monotonic() + (0 if no_block else wait or float("inf"))
        late = 0
        while True:
            found = self._link.next_event(max(0.0, min(_WAIT, deadline - time.monotonic())))
            if found is not None and want(found.tag):
                return _as_result(found, full=full)
            is_over = time.monotonic() >= deadline
            if found is not None:
                self._queue(found)
            # After the deadline, only events already received are searched, because the bus may never fall
            # silent.
            late += is_over
            if is_over and (found is None or late > _MAX_PENDING):
                return None

    def get_event_noblock(self) -> EventData | None:
        """Return {"tag", "data"} of the next event, or None if there is none."""
        return self.get_event(full=True, no_block=True)

    def get_event_block(self) -> EventData | None:
        """Wait for the next event without limit; return its {"tag", "data"}."""
        return self.get_event(wait=0, full=True)

    def iter_events(
        self, tag: str = "", full: bool = False, match_type: str | None = None, auto_reconnect: bool = False
    ) -> Iterator[EventData]:
        """Yield all events whose tags match, forever."""
        while True:
            event = self.get_event(wait=_WAIT, tag=tag, full=full, match_type=match_type)
            if event is not None:
                yield event

    def fire_event(self, data: EventData, tag: str, timeout: float = 1000) -> bool:
        """Fire an event; return True."""
        self._link.fire(tag, data)
        return True

    def fire_master(self, data: EventData, tag: str, timeout: float = 1000) -> bool:
        """Fire an event on the bus of the master."""
        return self.fire_event(data, tag, timeout)

    def _way(self, match_type: str | None) -> str:
        return match_type or self.opts.get("event_match_type") or "startswith"

    def _queue(self, event: MasterEvent) -> None:
        if any(accepts(tag, self._way(way))(event.tag) for tag, way in self._tags.items()):
            self._pending.append(event)
            del self._pending[:-_MAX_PENDING]


def _as_result(event: MasterEvent, *, full: bool) -> EventData:
    return {"tag": event.tag, "data": event.data} if full else event.data


def _settings() -> OptsDraft:
    from salt_g import config

    return config.load("master").opts

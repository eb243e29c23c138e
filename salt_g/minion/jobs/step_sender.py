"""Sending of live steps of state runs to the master that started the runs.

Stock's masters, which do not use steps, get none. State runs do not wait for the sender: while a master is
slow, the steps of a run are merged, and the oldest are dropped (`report/step_feed.py`). Events and returns do
not queue behind steps.
Units: seconds.
Source: wire specification, section 11.6.
"""

from __future__ import annotations

import contextlib
import logging
import math
from collections.abc import Callable, Iterator
from typing import Any

import gevent.event

from salt_g.errors import SaltGError
from salt_g.event import tags
from salt_g.report.step_feed import INTERVAL, StepFeed
from salt_g.services.daemons import Asking
from salt_g.shapes.loads import Load

log = logging.getLogger(__name__)

#: Maximum number of events in one request; each job has at most one.
MOST = 50
#: Timeout for a master to accept the events (s), and maximum pause between requests that a master can demand
#: (s).
TIMEOUT = 10.0
MAX_PAUSE = 60.0


class StepSender:
    """Sender of steps to one master, in one greenlet (`run`); `is_wanted` returns whether it uses steps."""

    def __init__(self, channel: Asking, id: str, *, is_wanted: Callable[[], bool]) -> None:
        self._channel = channel
        self._id = id
        self._is_wanted = is_wanted
        self._feeds: dict[str, StepFeed] = {}
        self._pause = INTERVAL
        self._changed: Any = gevent.event.Event()
        self._ended: Any = gevent.event.Event()

    @contextlib.contextmanager
    def record(self, jid: str) -> Iterator[StepFeed | None]:
        """Yield a feed whose steps are sent while the block runs; yield None if the master wants no steps."""
        if not self._is_wanted():
            yield None
            return
        feed = self._feeds[jid] = StepFeed(on_change=self._changed.set)
        try:
            yield feed
        finally:
            feed.is_over = True
            self._changed.set()
            self._ended.set()

    def run(self) -> None:
        """Send changed steps, at most one event per job between two pauses, forever."""
        while True:
            self._changed.wait()
            self._changed.clear()
            events = self._take()
            if events and self._is_wanted():
                self._send(events)
            # The end of a job ends the pause, so that its last steps arrive before its return.
            self._ended.wait(self._pause)
            self._ended.clear()

    def _take(self) -> list[Load]:
        """Return an event for each job with changed steps, and remove jobs that have ended."""
        events: list[Load] = []
        for jid, feed in list(self._feeds.items()):
            if len(events) >= MOST:
                self._changed.set()
                break
            # Read before the events: the last steps of a job are recorded before `is_over` is set.
            is_over = feed.is_over
            event = feed.take()
            if event is not None:
                events.append({"tag": tags.job_step(jid, self._id), "data": event})
            elif feed.is_waiting:
                self._changed.set()
            if is_over and self._feeds.get(jid) is feed:
                del self._feeds[jid]
        return events

    def _send(self, events: list[Load]) -> None:
        load = {"cmd": "_minion_event", "events": events, "pretag": None}
        try:
            self._pause = _pause_in(self._channel.ask(load, timeout=TIMEOUT, tries=1))
        except (SaltGError, OSError) as exc:
            log.debug("the master has not accepted the steps of %d jobs: %s", len(events), exc)


def _pause_in(reply: object) -> float:
    """Return the pause that a master requests, within limits; with many minions it can be long."""
    pause = reply.get("pause") if isinstance(reply, dict) else None
    if isinstance(pause, bool) or not isinstance(pause, (int, float)) or not math.isfinite(pause):
        return INTERVAL
    return min(MAX_PAUSE, max(INTERVAL, float(pause)))

"""Watchdog for a blocked hub: logs the blocking stack and its job.

A blocking plugin stops all other greenlets of the daemon, so a native thread watches the hub.
Units: seconds.
"""

from __future__ import annotations

import logging
import sys
import time
import traceback
from collections.abc import Callable
from types import FrameType
from typing import Any

import gevent
import gevent.monkey

log = logging.getLogger(__name__)


class HubWatchdog:
    """Logger of hub stalls longer than `limit` seconds. Lifecycle: `start`, `stop`."""

    def __init__(self, limit: float, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._limit = limit
        self._clock = clock
        self._beat = clock()
        self._is_over = False
        # The patched one would name greenlets.
        self._hub_thread = gevent.monkey.get_original("_thread", "get_ident")()
        self._timer: Any = None

    def start(self) -> None:
        """Start the heartbeat on the hub, and the watching thread."""
        self._timer = gevent.get_hub().loop.timer(self._limit / 4, self._limit / 4)
        self._timer.start(self._note)
        start_thread = gevent.monkey.get_original("_thread", "start_new_thread")
        start_thread(self._watch, ())

    def stop(self) -> None:
        """Signal the thread to end."""
        self._is_over = True
        if self._timer is not None:
            self._timer.stop()
            self._timer.close()

    def _note(self) -> None:
        self._beat = self._clock()

    def _watch(self) -> None:
        sleep = gevent.monkey.get_original("time", "sleep")
        told = 0.0
        while not self._is_over:
            sleep(self._limit / 2)
            beat = self._beat
            still = self._clock() - beat
            # Once per stall.
            if still > self._limit and beat != told:
                told = beat
                self._log_stall(still, sys._current_frames().get(self._hub_thread))

    def _log_stall(self, still: float, frame: FrameType | None) -> None:
        stack = "".join(traceback.format_stack(frame)) if frame is not None else "no stack"
        where = _job_on(frame)
        log.warning("the hub has been blocked for %.2f s%s:\n%s", still, where, stack)


def _job_on(frame: FrameType | None) -> str:
    """Return the job of a stack: the context variables of another thread cannot be read."""
    while frame is not None:
        jid = getattr(frame.f_locals.get("job"), "jid", None)
        if jid:
            return f" in job {jid}"
        frame = frame.f_back
    return ""

"""Watchdog that detects a blocked hub, and logs the blocking stack and its job.

A blocking plugin stops all other greenlets of the daemon, so a native thread watches the hub. Time in which
the hub was ready to run but other programs occupied the processors is deducted, as no code of the
daemon is at fault.
Units: seconds.
Source: schedstat in proc(5), second field: nanoseconds that a thread has waited for a processor.
"""

from __future__ import annotations

import _thread
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
    """Watchdog that logs hub stalls longer than `limit` seconds. Lifecycle: `start`, `stop`."""

    def __init__(
        self,
        limit: float,
        *,
        clock: Callable[[], float] = time.monotonic,
        waited: Callable[[], float] | None = None,
    ) -> None:
        self._limit = limit
        self._clock = clock
        self._waited = waited
        self._beat = clock()
        self._is_over = False
        # Unpatched, because gevent's `get_ident` returns ids of greenlets.
        self._hub_thread = gevent.monkey.get_original("_thread", "get_ident")()
        self._timer: Any = None

    def start(self) -> None:
        """Start the heartbeat on the hub, and the watching thread."""
        self._timer = gevent.get_hub().loop.timer(self._limit / 4, self._limit / 4)
        self._timer.start(self._note)
        start_thread = gevent.monkey.get_original("_thread", "start_new_thread")
        start_thread(self._watch, (self._waited or _WaitingTime(),))

    def stop(self) -> None:
        """Signal the thread to end."""
        self._is_over = True
        if self._timer is not None:
            self._timer.stop()
            self._timer.close()

    def _note(self) -> None:
        self._beat = self._clock()

    def _watch(self, read_waited: Callable[[], float]) -> None:
        sleep = gevent.monkey.get_original("time", "sleep")
        logged = 0.0
        beat, waited_at_beat = self._beat, read_waited()
        waited = waited_at_beat
        while not self._is_over:
            sleep(self._limit / 2)
            if self._beat != beat:
                # `waited` was read in the previous round, before this beat.
                beat, waited_at_beat = self._beat, waited
            waited = read_waited()
            still = self._clock() - beat - (waited - waited_at_beat)
            # Log each stall only once.
            if still > self._limit and beat != logged:
                logged = beat
                self._log_stall(still, sys._current_frames().get(self._hub_thread))

    def _log_stall(self, still: float, frame: FrameType | None) -> None:
        stack = "".join(traceback.format_stack(frame)) if frame is not None else "no stack"
        where = _job_on(frame)
        log.warning("the hub has been blocked for %.2f s%s:\n%s", still, where, stack)


class _WaitingTime:
    """Time that the creating thread has waited for a processor; 0 if the kernel does not record it."""

    def __init__(self) -> None:
        self._path = f"/proc/self/task/{_thread.get_native_id()}/schedstat"

    def __call__(self) -> float:
        try:
            with open(self._path, encoding="ascii") as file:
                return int(file.read().split()[1]) / 1e9
        except (OSError, ValueError, IndexError):
            return 0.0


def _job_on(frame: FrameType | None) -> str:
    """Return ` in job JID` or ''.

    The job is found in local variables, because context variables of another thread cannot be read.
    """
    while frame is not None:
        jid = getattr(frame.f_locals.get("job"), "jid", None)
        if jid:
            return f" in job {jid}"
        frame = frame.f_back
    return ""

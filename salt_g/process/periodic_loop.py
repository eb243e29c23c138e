"""Loop for the periodic work of a daemon, with one policy for errors.

An error in a round is logged with the name of the loop, and the next round follows after the usual pause; the
daemon and its other loops continue. A greenlet whose errors should end the daemon must not use this loop.
Units: seconds.
"""

from __future__ import annotations

import logging
from collections.abc import Callable

import gevent
import gevent.event

log = logging.getLogger(__name__)

#: Pause before a round (s): a number, or a function called before each round; None waits until `wake`.
Pause = float | Callable[[], float | None]


class PeriodicLoop:
    """Loop that calls `work`. Lifecycle: `run` in a greenlet, until `stop` or the end of that greenlet.

    The first round begins after `first` seconds, each later one `pause` seconds after the previous one ended.
    """

    def __init__(self, name: str, work: Callable[[], object], pause: Pause, *, first: Pause = 0.0) -> None:
        self.name = name
        self._work = work
        self._pause = pause
        self._first = first
        self._woken = gevent.event.Event()
        self._is_stopped = False

    def run(self) -> None:
        """Run rounds until stopped."""
        self._rest(self._first)
        while not self._is_stopped:
            self._round()
            self._rest(self._pause)

    def wake(self) -> None:
        """Begin the next round now, or immediately after the running one."""
        self._woken.set()

    def stop(self) -> None:
        """Stop after the current round."""
        self._is_stopped = True
        self._woken.set()

    def _round(self) -> None:
        try:
            self._work()
        # In every loop, a failed round must not end the loop. A plugin may also raise SystemExit, which would
        # end the daemon.
        except (Exception, SystemExit):
            log.exception("%s failed; the next round follows", self.name)

    def _rest(self, pause: Pause) -> None:
        seconds = pause() if callable(pause) else pause
        if seconds is not None and seconds <= 0:
            # Yield, so that other greenlets run between two rounds even without a pause.
            gevent.sleep(0)
        else:
            self._woken.wait(seconds)
        self._woken.clear()

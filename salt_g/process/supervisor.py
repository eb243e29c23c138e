"""Supervision of greenlets: spawning, failures, shutdown.

No other module may spawn greenlets. No greenlet fails silently: a Supervisor keeps the first uncaught error
and raises it again from `wait()`; LoggedGreenlets log every error. A greenlet runs in a copy of its creator's
context, so that `salt_g.api` finds its call.
Units: seconds; a deadline is an absolute monotonic time. This file imports gevent at its top, so only
programs that need a hub import it; `offload.py` is for programs that may have none.
"""

from __future__ import annotations

import contextvars
import logging
import time
from collections.abc import Callable
from typing import Any

import gevent
import gevent.event
import gevent.pool

log = logging.getLogger(__name__)


class Supervisor:
    """Owner of a group of named greenlets.

    Lifecycle: `spawn` while it runs; `wait` until all have ended or one failed; `stop` ends the rest. `limit`
    bounds the number of running greenlets: another `spawn` waits.
    """

    def __init__(self, name: str, *, limit: int | None = None) -> None:
        self.name = name
        self._group: Any = gevent.pool.Pool(limit) if limit else gevent.pool.Group()
        self._failed: Any = gevent.event.AsyncResult()
        # The hub must not report failures, because the caller of wait() logs them.
        _silence_hub()

    def spawn(self, function: Callable[..., Any], *args: Any, name: str) -> Any:
        """Start a greenlet that calls `function(*args)` in a copy of the current context."""
        greenlet = _named(f"{self.name}/{name}", function, args, on_failure=self._note_failure)
        self._group.start(greenlet)
        return greenlet

    def __len__(self) -> int:
        return len(self._group)

    def wait(self, *, deadline: float | None = None) -> bool:
        """Wait for the end of all greenlets; return False when the deadline passed first.

        Raises the first unhandled error of a greenlet, after stopping the others.
        """
        watch = gevent.spawn(self._group.join)
        try:
            done = gevent.wait([watch, self._failed], timeout=seconds_until(deadline), count=1)
        finally:
            watch.kill(block=False)
        if self._failed.ready():
            self.stop()
            self._failed.get()
        return bool(done)

    def stop(self, *, timeout: float = 10.0) -> None:
        """Stop all greenlets; their `finally` blocks have `timeout` seconds."""
        self._group.kill(timeout=timeout)

    def _note_failure(self, greenlet: Any) -> None:
        log.debug("greenlet %s failed: %r", greenlet.name, greenlet.exception)
        if not self._failed.ready():
            self._failed.set_exception(greenlet.exception, greenlet.exc_info)


class LoggedGreenlets:
    """Owner of a few named greenlets; a failure is logged and ends only the greenlet itself.

    Used by parts of a daemon that have no Supervisor. Lifecycle: `spawn`, then `stop`, or until each has
    ended. `limit` bounds their number: another `spawn` waits.
    """

    def __init__(self, name: str, *, limit: int) -> None:
        self.name = name
        self._pool: Any = gevent.pool.Pool(limit)
        _silence_hub()

    def spawn(self, function: Callable[..., Any], *args: Any, name: str) -> Any:
        """Start a greenlet that calls `function(*args)` in a copy of the current context."""
        greenlet = _named(f"{self.name}/{name}", function, args, on_failure=_log_failure)
        self._pool.start(greenlet)
        return greenlet

    def __len__(self) -> int:
        return len(self._pool)

    def stop(self) -> None:
        """Stop all greenlets, without waiting for their ends."""
        self._pool.kill(block=False)


def deadline_in(seconds: float) -> float:
    """Return the deadline `seconds` from now."""
    return time.monotonic() + seconds


def seconds_until(deadline: float | None) -> float | None:
    """Return the remaining time (never negative), or None for no deadline."""
    return None if deadline is None else max(0.0, deadline - time.monotonic())


def _named(
    name: str, function: Callable[..., Any], args: tuple[Any, ...], *, on_failure: Callable[[Any], None]
) -> Any:
    """Return a greenlet, not yet started, that runs in a copy of the current context."""
    greenlet = gevent.Greenlet(function, *args)
    # Not context.run(function), because killing a greenlet inside it crashed (gevent 26.9, Python 3.11).
    greenlet.gr_context = contextvars.copy_context()
    greenlet.name = name
    greenlet.link_exception(on_failure)
    return greenlet


def _log_failure(greenlet: Any) -> None:
    log.error("greenlet %s failed", greenlet.name, exc_info=greenlet.exc_info)


def _silence_hub() -> None:
    """Keep the hub from printing failures, because the owner of each greenlet reports them."""
    gevent.get_hub().exception_stream = None

"""Futures for greenlets, settled from a native thread.

This is the only module of the package that imports gevent. No part of gevent except an async watcher may be
used from another thread, so the writer's thread queues its results and triggers the watcher; the hub does the
rest. It works whether or not the standard library is patched.
Units: seconds.
"""

from __future__ import annotations

import collections
from collections.abc import Callable
from typing import Any

import gevent
import gevent.event

from salt_g.cache.futures import WRITE_TIMEOUT, Future


class GreenFuture:
    """Pending write that a greenlet can wait for without blocking the hub."""

    __slots__ = ("_settled",)

    def __init__(self) -> None:
        self._settled: Any = gevent.event.AsyncResult()

    def result(self, timeout: float = WRITE_TIMEOUT) -> Any:
        """Return the result; raises the write's exception, or TimeoutError when it is still pending."""
        if not self._settled.ready():
            self._settled.wait(timeout)
        if not self._settled.ready():
            raise TimeoutError(f"a write to the store was not committed within {timeout:g} s")
        return self._settled.get()

    def done(self) -> bool:
        """Return whether the write is committed or has failed."""
        return bool(self._settled.ready())

    def settle(self, value: Any, error: Exception | None) -> None:
        """Wake the waiting greenlets."""
        if error is None:
            self._settled.set(value)
        else:
            self._settled.set_exception(error)


class GreenWaiting:
    """Interface between the writer's thread and the hub of the thread that creates this object."""

    def __init__(self) -> None:
        self._posted: collections.deque[tuple[Callable[..., None], tuple[Any, ...]]] = collections.deque()
        self._bell: Any = gevent.get_hub().loop.async_()
        self._bell.start(self._answer)
        self._is_open = True

    def future(self) -> Future[Any]:
        """Return a new future."""
        return GreenFuture()

    def post(self, function: Callable[..., None], *args: Any) -> None:
        """Schedule a call on the hub; appending to a deque and `send` are safe from any thread."""
        self._posted.append((function, args))
        if self._is_open:
            self._bell.send()

    def settle(self, future: Any, value: Any, error: Exception | None) -> None:
        """Wake the waiting greenlets."""
        future.settle(value, error)

    def close(self) -> None:
        """Stop the watcher."""
        self._is_open = False
        self._bell.stop()
        self._bell.close()

    def _answer(self) -> None:
        # One wake-up may cover several posts, and a post may arrive while this runs.
        while self._posted:
            function, args = self._posted.popleft()
            function(*args)

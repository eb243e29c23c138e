"""Futures for greenlets, settled from a native thread.

Why its own file: the only one of this package that imports gevent. Nothing of gevent but an
async watcher may be touched from another thread, so the writer's thread queues what it has
to say and rings; the hub does the rest. Works whether or not the standard library is patched.
Units: seconds.
"""

from __future__ import annotations

import collections
from collections.abc import Callable
from typing import Any

import gevent
import gevent.event

from salt_g.cache.futures import Future


class GreenFuture:
    """A write that a greenlet can wait for while the hub goes on."""

    __slots__ = ("_settled",)

    def __init__(self) -> None:
        self._settled: Any = gevent.event.AsyncResult()

    def result(self, timeout: float | None = None) -> Any:
        """Return the result; raises what the write raised, TimeoutError when it is still open."""
        if not self._settled.ready():
            self._settled.wait(timeout)
        if not self._settled.ready():
            raise TimeoutError(f"a write to the store was not committed within {timeout:g} s")
        return self._settled.get()

    def done(self) -> bool:
        """Return whether the write is committed or has failed."""
        return bool(self._settled.ready())

    def settle(self, value: Any, error: Exception | None) -> None:
        """Wake the greenlets that wait."""
        if error is None:
            self._settled.set(value)
        else:
            self._settled.set_exception(error)


class GreenWaiting:
    """Waiting on the hub of the thread that makes this object."""

    def __init__(self) -> None:
        self._posted: collections.deque[tuple[Callable[..., None], tuple[Any, ...]]] = collections.deque()
        self._bell: Any = gevent.get_hub().loop.async_()
        self._bell.start(self._answer)
        self._is_open = True

    def future(self) -> Future[Any]:
        """Return a new future."""
        return GreenFuture()

    def post(self, function: Callable[..., None], *args: Any) -> None:
        """Let the hub call; appending to a deque and `send` are the two steps that any thread may take."""
        self._posted.append((function, args))
        if self._is_open:
            self._bell.send()

    def settle(self, future: Any, value: Any, error: Exception | None) -> None:
        """Wake the greenlets that wait."""
        future.settle(value, error)

    def close(self) -> None:
        """Stop listening for the bell."""
        self._is_open = False
        self._bell.stop()
        self._bell.close()

    def _answer(self) -> None:
        # One ring may stand for several posts, and a post may come while this runs.
        while self._posted:
            function, args = self._posted.popleft()
            function(*args)

"""Futures for threads, in programs without a hub that wait in their only thread.

Units: seconds.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

from salt_g.cache.futures import WRITE_TIMEOUT, Future


class ThreadFuture:
    """Pending write that a thread can wait for."""

    __slots__ = ("_error", "_settled", "_value")

    def __init__(self) -> None:
        self._settled = threading.Event()
        self._value: Any = None
        self._error: Exception | None = None

    def result(self, timeout: float = WRITE_TIMEOUT) -> Any:
        """Return the result; raises the write's exception, or TimeoutError when it is still pending."""
        if not self._settled.wait(timeout):
            raise TimeoutError(f"a write to the store was not committed within {timeout:g} s")
        if self._error is not None:
            raise self._error
        return self._value

    def done(self) -> bool:
        """Return whether the write is committed or has failed."""
        return self._settled.is_set()

    def settle(self, value: Any, error: Exception | None) -> None:
        """Wake the waiting threads."""
        self._value, self._error = value, error
        self._settled.set()


class ThreadWaiting:
    """Interface between the writer's thread and programs without a hub."""

    def future(self) -> Future[Any]:
        """Return a new future."""
        return ThreadFuture()

    def post(self, function: Callable[..., None], *args: Any) -> None:
        """Call `function` at once, because a thread can be woken from any other thread."""
        function(*args)

    def settle(self, future: Any, value: Any, error: Exception | None) -> None:
        """Wake the waiting thread."""
        future.settle(value, error)

    def close(self) -> None:
        """Do nothing, because no system resource is held."""

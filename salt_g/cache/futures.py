"""Futures for callers in threads, and the interface that the writer expects of futures.

A daemon waits in greenlets (`green_futures.py`), a command line program in its only thread; the writer's
thread is independent of that.
Units: seconds.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol, TypeVar

T_co = TypeVar("T_co", covariant=True)


class Future(Protocol[T_co]):
    """A pending write."""

    def result(self, timeout: float | None = None) -> T_co:
        """Return the result of the write once it is committed.

        Raises StoreError when it failed, TimeoutError when it is still pending after `timeout`.
        """

    def done(self) -> bool:
        """Return whether `result` is available."""


class Waiting(Protocol):
    """Interface between the writer's thread and its callers."""

    def future(self) -> Future[Any]:
        """Return a new, unsettled future."""

    def post(self, function: Callable[..., None], *args: Any) -> None:
        """Call `function` in the context of the callers; the writer's thread calls this and never waits."""

    def settle(self, future: Any, value: Any, error: Exception | None) -> None:
        """Set the result of a future; called in the context of the callers."""

    def close(self) -> None:
        """Release resources."""


class ThreadWaiting:
    """Interface for programs without a hub; futures are those of the standard library."""

    def future(self) -> Future[Any]:
        """Return a new future."""
        # Imported lazily: 6 ms with its imports, and a program that only reads never writes.
        from concurrent.futures import Future as ThreadFuture

        return ThreadFuture()

    def post(self, function: Callable[..., None], *args: Any) -> None:
        """Call at once: threads may be woken from any thread."""
        function(*args)

    def settle(self, future: Any, value: Any, error: Exception | None) -> None:
        """Wake the waiting thread."""
        if error is None:
            future.set_result(value)
        else:
            future.set_exception(error)

    def close(self) -> None:
        """Do nothing: no resource is held."""

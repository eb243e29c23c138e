"""Futures for callers in threads, and what the writer asks of any kind of future.

Why its own file: a daemon waits in greenlets (`green_futures.py`), a command line program in its one
thread; the writer's thread must not know the difference.
Units: seconds.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol, TypeVar

T_co = TypeVar("T_co", covariant=True)


class Future(Protocol[T_co]):
    """A write that is on its way to the disk."""

    def result(self, timeout: float | None = None) -> T_co:
        """Return what the write returns once it is committed.

        Raises StoreError when it could not be, TimeoutError when it is still open after `timeout`.
        """

    def done(self) -> bool:
        """Return whether `result` has something to say already."""


class Waiting(Protocol):
    """How callers wait: the one border between the writer's thread and everybody else."""

    def future(self) -> Future[Any]:
        """Return a future that nobody has settled yet."""

    def post(self, function: Callable[..., None], *args: Any) -> None:
        """Call `function` where the callers live; the writer's thread calls this and never waits."""

    def settle(self, future: Any, value: Any, error: Exception | None) -> None:
        """Give a future its result; called where the callers live."""

    def close(self) -> None:
        """Let go of what waiting needed."""


class ThreadWaiting:
    """Waiting for programs without a hub; futures are those of the standard library."""

    def future(self) -> Future[Any]:
        """Return a new future."""
        # Late: with its imports 6 ms, and a program that only reads never writes.
        from concurrent.futures import Future as ThreadFuture

        return ThreadFuture()

    def post(self, function: Callable[..., None], *args: Any) -> None:
        """Call at once: threads may be woken from any thread."""
        function(*args)

    def settle(self, future: Any, value: Any, error: Exception | None) -> None:
        """Wake the thread that waits."""
        if error is None:
            future.set_result(value)
        else:
            future.set_exception(error)

    def close(self) -> None:
        """Nothing is held."""

"""Futures of writes, and the interface between the writer and the callers that wait for them.

A daemon waits in greenlets (`green_futures.py`), a command line program in its only thread
(`thread_futures.py`); the writer's thread works with both.
Units: seconds.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol, TypeVar

#: Time limit for the commit of a write (s). Clients wait longer than that for the master's answer; minions
#: send again.
WRITE_TIMEOUT = 20.0

T_co = TypeVar("T_co", covariant=True)


class Future(Protocol[T_co]):
    """A pending write."""

    def result(self, timeout: float = WRITE_TIMEOUT) -> T_co:
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
        """Schedule `function` in the context of the callers; the writer's thread never waits for it."""

    def settle(self, future: Any, value: Any, error: Exception | None) -> None:
        """Set the result of a future; called in the context of the callers."""

    def close(self) -> None:
        """Release resources."""

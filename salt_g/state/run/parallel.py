"""Chunks that run beside the others (`parallel: True`).

Why its own file: everything about waiting for work that is under way is here; the run sees
chunks start and results come.

The work runs in threads of the standard library: in a daemon, where gevent has patched it,
those are greenlets; a plain local call has real ones and need not import gevent. Each gets a
copy of the call context and its own scratch, so that neighbours do not see its `retcode`.
"""

from __future__ import annotations

import contextvars
import queue
from collections.abc import Callable
from typing import TYPE_CHECKING

from salt_g import api
from salt_g.state.run.state_returns import Return

if TYPE_CHECKING:
    from concurrent.futures import Future, ThreadPoolExecutor

#: Chunks under way at a time when `state_max_parallel` says nothing.
DEFAULT_LIMIT = 256

Work = Callable[[], Return]


class Parallel:
    """Starts work and hands out results; lives as long as a run. `limit` is how much is under way."""

    def __init__(self, limit: int | None = None) -> None:
        self._limit = limit or DEFAULT_LIMIT
        self._executor: ThreadPoolExecutor | None = None
        self._done: queue.SimpleQueue[tuple[str, Future[Return]]] = queue.SimpleQueue()

    def start(self, tag: str, work: Work) -> None:
        """Begin work, or queue it when the limit is reached."""
        if self._executor is None:
            from concurrent.futures import ThreadPoolExecutor  # most runs have no parallel chunk

            self._executor = ThreadPoolExecutor(self._limit, thread_name_prefix="state")
        context = contextvars.copy_context()
        future = self._executor.submit(context.run, _with_own_scratch, work)
        future.add_done_callback(lambda done: self._done.put((tag, done)))

    def finished(self) -> list[tuple[str, Return]]:
        """Return the results that have come since the last question; raises what work raised."""
        results = []
        while not self._done.empty():
            tag, future = self._done.get()
            results.append((tag, future.result()))
        return results

    def wait_for_one(self) -> list[tuple[str, Return]]:
        """Return the next results; to be called only while work is under way."""
        tag, future = self._done.get()
        return [(tag, future.result()), *self.finished()]

    def close(self) -> None:
        """Wait for all work and end the threads; what has not begun is dropped."""
        if self._executor is not None:
            self._executor.shutdown(wait=True, cancel_futures=True)
            self._executor = None


def _with_own_scratch(work: Work) -> Return:
    context = api.current()
    with api.use(context.replace(scratch=dict(context.scratch))):
        return work()

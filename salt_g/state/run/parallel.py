"""Parallel execution of chunks (`parallel: True`).

Chunks run in threads of the standard library: in a daemon, patched by gevent, these are greenlets; a plain
local call uses real threads without importing gevent. Each gets a copy of the call context and its own
scratch, so that concurrent chunks do not see its `retcode`.
"""

from __future__ import annotations

import contextvars
import queue
from collections.abc import Callable
from typing import TYPE_CHECKING

from salt_g import api
from salt_g.shapes import StateReturn

if TYPE_CHECKING:
    from concurrent.futures import Future, ThreadPoolExecutor

#: Maximum number of concurrent chunks if `state_max_parallel` is not set.
DEFAULT_LIMIT = 256
#: Maximum uninterrupted wait for a result (s). A signal that arrives just before the main thread blocks does
#: not wake the thread, because CPython handles signals only between two instructions.
SIGNAL_CHECK = 0.5

Work = Callable[[], StateReturn]


class Parallel:
    """Parallel chunks of one run, and their results; at most `limit` chunks run at once."""

    def __init__(self, limit: int | None = None) -> None:
        self._limit = limit or DEFAULT_LIMIT
        self._executor: ThreadPoolExecutor | None = None
        self._done: queue.SimpleQueue[tuple[str, Future[StateReturn]]] = queue.SimpleQueue()

    def start(self, tag: str, work: Work) -> None:
        """Start work, or queue it when the limit is reached."""
        if self._executor is None:
            from concurrent.futures import ThreadPoolExecutor

            self._executor = ThreadPoolExecutor(self._limit, thread_name_prefix="state")
        context = contextvars.copy_context()
        future = self._executor.submit(context.run, _with_own_scratch, work)
        future.add_done_callback(lambda done: self._done.put((tag, done)))

    def finished(self) -> list[tuple[str, StateReturn]]:
        """Return the results since the last call; raise an exception that the work raised."""
        results = []
        while not self._done.empty():
            tag, future = self._done.get()
            results.append((tag, future.result()))
        return results

    def wait_for_one(self) -> list[tuple[str, StateReturn]]:
        """Wait for and return the next results; call it only while work is running."""
        while True:
            try:
                tag, future = self._done.get(timeout=SIGNAL_CHECK)
            except queue.Empty:
                continue
            return [(tag, future.result()), *self.finished()]

    def close(self) -> None:
        """Wait for running work and stop the threads; drop queued work."""
        if self._executor is not None:
            self._executor.shutdown(wait=True, cancel_futures=True)
            self._executor = None


def _with_own_scratch(work: Work) -> StateReturn:
    context = api.current()
    with api.use(context.replace(scratch=dict(context.scratch))):
        return work()

"""Bounded queue that serves its sources in turn.

A host that floods the master with requests delays only its own requests.
"""

from __future__ import annotations

import collections
from typing import Generic, TypeVar

import gevent.lock

T = TypeVar("T")


class FairQueue(Generic[T]):
    """Bounded queue of items by source; `put` waits while it is full."""

    def __init__(self, capacity: int) -> None:
        self._lines: collections.OrderedDict[str, collections.deque[T]] = collections.OrderedDict()
        self._space = gevent.lock.Semaphore(capacity)
        self._items = gevent.lock.Semaphore(0)
        self._size = 0

    def __len__(self) -> int:
        return self._size

    def put(self, source: str, item: T) -> None:
        """Add an item behind the others of its source; wait for space."""
        self._space.acquire()
        self._lines.setdefault(source, collections.deque()).append(item)
        self._size += 1
        self._items.release()

    def get(self) -> T:
        """Return the first item of the source that was served longest ago; wait for one."""
        self._items.acquire()
        source, line = self._lines.popitem(last=False)
        item = line.popleft()
        if line:
            self._lines[source] = line
        self._size -= 1
        self._space.release()
        return item

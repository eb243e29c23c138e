"""Bounded queue of the writer's thread.

gevent turns the queues of the standard library into queues for greenlets; this queue is filled by greenlets
and emptied by a native thread.
Units: bytes; capacity is in entries and in bytes.
"""

from __future__ import annotations

from typing import Any

from salt_g.process.offload import unpatched


class WriteQueue:
    """Queue that passes its whole content to one consumer.

    Its name in `docs/architecture.md` is `store writer`. If the queue is full, `put` returns False, so that a
    caller can ask its peer to retry; a minion keeps undelivered data.
    """

    def __init__(self, *, max_entries: int, max_bytes: int) -> None:
        allocate_lock = unpatched("allocate_lock")
        self._max_entries = max_entries
        self._max_bytes = max_bytes
        self._entries: list[Any] = []
        self._bytes = 0
        self._guard: Any = allocate_lock()
        # Lock that is free exactly while the queue has entries: adding the first entry releases it, and
        # taking all entries acquires it.
        self._door: Any = allocate_lock()
        self._door.acquire()

    def __len__(self) -> int:
        return len(self._entries)

    def put(self, entry: Any, size: int) -> bool:
        """Add an entry of `size` bytes; return False when the queue is full."""
        with self._guard:
            if len(self._entries) >= self._max_entries or self._bytes + size > self._max_bytes:
                return False
            self._add(entry, size)
        return True

    def put_always(self, entry: Any) -> None:
        """Add an entry even if the queue is full; only for the owner of the queue."""
        with self._guard:
            self._add(entry, 0)

    def take_all(self) -> list[Any]:
        """Wait for entries and return all of them in order."""
        self._door.acquire()
        with self._guard:
            entries, self._entries = self._entries, []
            self._bytes = 0
        return entries

    def _add(self, entry: Any, size: int) -> None:
        self._entries.append(entry)
        self._bytes += size
        if len(self._entries) == 1:
            self._door.release()

"""Banks and keys: named values such as grains, pillar, mine and tokens.

They implement stock's cache interface on our store. A bank is a path with slashes; a bank `minions/m1` is
listed as `m1` in the bank `minions`.
Units: `updated` in whole seconds, `expires` in seconds from now.
Errors: StoreError from reads and through futures, StoreBusy from writes.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any

from salt_g.cache import bulk_sql
from salt_g.cache.futures import Future
from salt_g.cache.operation import DatabaseConnection, Operation
from salt_g.cache.store import Store
from salt_g.process.offload import offload_heavy, yield_to_hub
from salt_g.wire.packing import pack_bus, pack_large
from salt_g.wire.value_size import is_light

#: (bank, key, data, updated, expires)
_Entry = tuple[str, str, bytes, float, "float | None"]
_ALIVE = "(expires IS NULL OR expires > ?)"
_LANE = 2
#: Total size of the values read between two greenlet switches (bytes): some 5 ms.
_SLICE_BYTES = 128 * 1024
#: Alias, because `list` is a method of the class below.
_Names = list[str]


class Banks:
    """Named values, addressed by bank and key."""

    def __init__(self, store: Store, *, clock: Callable[[], float] = time.time) -> None:
        self._store = store
        self._clock = clock

    def store(self, bank: str, key: str, data: Any, expires: float | None = None) -> Future[None]:
        """Store a value, which expires after `expires` seconds unless that is None."""
        packed = offload_heavy(is_light(data), pack_bus, pack_large, data)
        now = self._clock()
        entry: _Entry = (bank, key, packed, now, None if expires is None else now + expires)
        return self._store.write(_PUT, entry, len(packed))

    def fetch(self, bank: str, key: str) -> Any:
        """Return a value, or {} when it is missing or expired; may yield to the hub."""
        found = self._store.read(
            f"SELECT data FROM entries WHERE bank = ? AND key = ? AND {_ALIVE}", (bank, key, self._clock())
        )
        value = self._store.unpacked(found[0][0], f"{bank}/{key}") if found else None
        return {} if value is None else value

    def fetch_packed(self, bank: str, key: str) -> bytes:
        """Return a value in packed form, b"" when it is missing, so that a native thread can unpack it."""
        found = self._store.read(
            f"SELECT data FROM entries WHERE bank = ? AND key = ? AND {_ALIVE}", (bank, key, self._clock())
        )
        return bytes(found[0][0]) if found else b""

    def store_packed(self, bank: str, key: str, packed: bytes) -> Future[None]:
        """Store a value packed by a native thread (`pack_bus`)."""
        return self._store.write(_PUT, (bank, key, packed, self._clock(), None), len(packed))

    def replace_packed(self, bank: str, key: str, packed: bytes, before: bytes) -> Future[bool]:
        """Replace the packed value `before` (b"": none); the future returns False if another was stored."""
        return self._store.write(_REPLACE, (bank, key, packed, self._clock(), before), len(packed))

    def flush(self, bank: str, key: str | None = None) -> Future[int]:
        """Remove a value, or a bank with all banks below it; the future returns the number removed."""
        return self._store.write(_REMOVE, (bank, key))

    def list(self, bank: str) -> _Names:
        """Return the keys of a bank and the names of its direct sub-banks, sorted."""
        keys = {row[0] for row in self._alive("key", bank)}
        start = f"{bank}/"
        below = self._store.read(
            f"SELECT DISTINCT bank FROM entries WHERE bank > ? AND bank < ? AND {_ALIVE}",
            (start, _behind(start), self._clock()),
        )
        return sorted(keys | {name[len(start) :].partition("/")[0] for (name,) in below})

    def list_all(self, bank: str) -> dict[str, Any]:
        """Return {key: value} of a bank, without unreadable values."""
        found, unread = {}, 0
        for key, data in self._alive("key, data", bank):
            found[key] = self._store.unpacked(data, f"{bank}/{key}")
            unread += len(data)
            if unread > _SLICE_BYTES:
                yield_to_hub()
                unread = 0
        return {key: value for key, value in found.items() if value is not None}

    def contains(self, bank: str, key: str | None = None) -> bool:
        """Return whether a value exists, or a bank is not empty."""
        if key is None:
            return bool(self.list(bank))
        return bool(
            self._store.read(
                f"SELECT 1 FROM entries WHERE bank = ? AND key = ? AND {_ALIVE}", (bank, key, self._clock())
            )
        )

    def updated(self, bank: str, key: str) -> int | None:
        """Return when a value was stored, or None when it is missing."""
        found = self._store.read("SELECT updated FROM entries WHERE bank = ? AND key = ?", (bank, key))
        return int(found[0][0]) if found else None

    def stamps(self, bank: str) -> dict[str, int]:
        """Return when each value of a bank was stored, by key."""
        return {key: int(updated) for key, updated in self._alive("key, updated", bank)}

    def clean_expired(self, bank: str) -> Future[int]:
        """Remove a bank's expired values; the future returns their number."""
        return self._store.write(_EXPIRE, (bank, self._clock()))

    def _alive(self, columns: str, bank: str) -> Sequence[Any]:
        return self._store.read(
            f"SELECT {columns} FROM entries WHERE bank = ? AND {_ALIVE} ORDER BY key", (bank, self._clock())
        )


def _behind(start: str) -> str:
    """Return the exclusive upper bound of all strings with the prefix `start`, which ends in a slash."""
    return start[:-1] + chr(ord("/") + 1)


def _put(connection: DatabaseConnection, entries: Sequence[_Entry]) -> Sequence[None]:
    bulk_sql.upsert(
        connection,
        "entries",
        entries,
        "ON CONFLICT (bank, key) DO UPDATE"
        " SET data = excluded.data, updated = excluded.updated, expires = excluded.expires",
        key_columns=2,
    )
    return [None] * len(entries)


def _replace(
    connection: DatabaseConnection, wanted: Sequence[tuple[str, str, bytes, float, bytes]]
) -> Sequence[bool]:
    return [_replace_one(connection, *one) for one in wanted]


def _replace_one(
    connection: DatabaseConnection, bank: str, key: str, packed: bytes, now: float, before: bytes
) -> bool:
    if before:
        update = "UPDATE entries SET data = ?, updated = ? WHERE bank = ? AND key = ? AND data = ?"
        return bool(connection.execute(update, (packed, now, bank, key, before)).rowcount)
    insert = "INSERT INTO entries (bank, key, data, updated) VALUES (?, ?, ?, ?)"
    insert += " ON CONFLICT (bank, key) DO NOTHING"
    return bool(connection.execute(insert, (bank, key, packed, now)).rowcount)


def _remove(connection: DatabaseConnection, places: Sequence[tuple[str, str | None]]) -> Sequence[int]:
    return [_remove_one(connection, bank, key) for bank, key in places]


def _remove_one(connection: DatabaseConnection, bank: str, key: str | None) -> int:
    if key is not None:
        return connection.execute("DELETE FROM entries WHERE bank = ? AND key = ?", (bank, key)).rowcount
    start = f"{bank}/"
    return connection.execute(
        "DELETE FROM entries WHERE bank = ? OR (bank > ? AND bank < ?)", (bank, start, _behind(start))
    ).rowcount


def _expire(connection: DatabaseConnection, wanted: Sequence[tuple[str, float]]) -> Sequence[int]:
    delete = "DELETE FROM entries WHERE bank = ? AND expires <= ?"
    return [connection.execute(delete, one).rowcount for one in wanted]


_PUT = Operation("store a value", _LANE, _put)
_REPLACE = Operation("replace a value", _LANE, _replace)
_REMOVE = Operation("remove values", _LANE, _remove)
_EXPIRE = Operation("remove expired values", _LANE, _expire)

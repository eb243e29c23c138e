"""Keys of minions in the database, shared by all masters of a cluster.

Each master has all keys in memory and updates them from the log. A change succeeds only if the version in
memory is current, so that of two masters that change a key at the same time the second is refused.
Shapes: as in `salt_g/keys/directory.py`, which keeps keys in files.
Errors: KeysError for a change that came second; StoreError while the database is unavailable.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from salt_g.cache.store import Store
from salt_g.cluster import tables
from salt_g.cluster.tables import KeyRowChange
from salt_g.errors import KeysError
from salt_g.keys.admission import ACCEPTED, STATES
from salt_g.keys.files import KeyFiles
from salt_g.wire.ids import check_id
from salt_g.wire.pem import clean_pem

#: Maximum number of attempts at a change; another one follows if only the version of the key has changed.
ATTEMPTS = 3


class _Key(NamedTuple):
    pem: str
    version: int
    changed: float


class SharedDirectory:
    """Keys in one state; see `keys.directory.Directory`."""

    def __init__(self, state: str, ledger: KeyLedger) -> None:
        self.path = f"{ledger.path}, keys in {state}"
        self._state = state
        self._ledger = ledger
        self._keys: dict[str, _Key] = {}
        self._names: frozenset[str] | None = None

    def __contains__(self, id: str) -> bool:
        return id in self._keys

    def names(self) -> frozenset[str]:
        """Return the ids that have a key in this state."""
        if self._names is None:
            self._names = frozenset(self._keys)
        return self._names

    def about(self) -> int:
        """Return the number of keys in this state."""
        return len(self._keys)

    def read(self, id: str) -> str | None:
        """Return the key of an id, or None if it has no key in this state."""
        found = self._keys.get(check_id(id))
        return found.pem if found is not None else None

    def write(self, id: str, pem: str) -> None:
        """Store a key, replacing any other."""
        self._ledger.change(
            KeyRowChange(check_id(id), self._state, clean_pem(pem), self.version(id), time.time())
        )

    def remove(self, id: str) -> bool:
        """Remove the key of an id; return whether there was one."""
        if check_id(id) not in self._keys:
            return False
        self._ledger.change(KeyRowChange(id, self._state, "", self.version(id)))
        return True

    def move(self, id: str, other: SharedDirectory) -> None:
        """Move a key to another state, replacing any key there."""
        self._ledger.change(
            KeyRowChange(check_id(id), self._state, "", self.version(id), time.time(), moved_to=other._state)
        )

    def changed(self, id: str) -> float:
        """Return the time when an id's key was written, in seconds since the epoch; 0.0 without a key."""
        found = self._keys.get(id)
        return found.changed if found is not None else 0.0

    def version(self, id: str) -> int:
        """Return the version of the key of an id, 0 without a key."""
        found = self._keys.get(id)
        return found.version if found is not None else 0

    def note(self, id: str, key: _Key | None) -> None:
        """Set the key of an id in memory, as it was read from the database; None removes it."""
        if key is None:
            self._keys.pop(id, None)
        else:
            self._keys[id] = key
        self._names = None


class KeyLedger:
    """Keys of all states in memory; `last` is the place in the log of this master's newest change."""

    def __init__(self, store: Store) -> None:
        self.path = store.path
        self.last = 0
        self.directories = {state: SharedDirectory(state, self) for state in STATES}
        self._store = store
        self._on_change: Callable[[], None] = _nothing

    def start(self, on_change: Callable[[], None]) -> None:
        """Read all keys; `on_change` is called after each change by this master."""
        self._on_change = on_change
        self._take(self._store.read(tables.KEYS))

    def import_files(self, files: KeyFiles) -> bool:
        """Import the keys in a master's files, unless done before; return whether they were imported."""
        keys = [
            KeyRowChange(id, state, pem, 0, directory.changed(id))
            for state, directory in files.directories.items()
            for id in sorted(directory.names())
            if (pem := directory.read(id))
        ]
        return bool(self._store.write(tables.IMPORT_KEYS, keys).result())

    def change(self, change: KeyRowChange) -> None:
        """Apply a change for all masters; raise KeysError if a conflicting change came first.

        A newer version of the same key is no conflict: it arises when a pending minion signs in at another
        master again, of which this master may not know yet.
        """
        directory = self.directories[change.state]
        for _ in range(ATTEMPTS):
            before = directory.read(change.id)
            n = int(self._store.write(tables.CHANGE_KEY, change).result())
            self.refresh(change.id)
            if n or before is None or directory.read(change.id) != before:
                break
            change = change._replace(version=directory.version(change.id))
        if not n:
            raise KeysError(
                self.path,
                f"another master changed the key of {change.id} at the same moment; repeat the command",
            )
        self.last = max(self.last, n)
        self._on_change()

    def refresh(self, id: str) -> None:
        """Reread the keys of an id from the database."""
        rows = self._store.read(tables.KEYS_OF, (id,))
        for state in STATES:
            if not any(row[1] == state for row in rows):
                self.directories[state].note(id, None)
        self._take(rows)

    def _take(self, rows: Iterable[Any]) -> None:
        for id, state, pem, version, changed in rows:
            if state in self.directories:
                self.directories[state].note(id, _Key(pem, version, changed))


class SharedKeys(KeyFiles):
    """Keys of all states, shared by the masters; the masters' own key pair stays in `pki_dir`."""

    def __init__(self, pki_dir: str, ledger: KeyLedger) -> None:
        super().__init__(pki_dir)
        self.ledger = ledger
        self.directories = ledger.directories  # type: ignore[assignment]

    def refresh(self, id: str) -> None:
        """Reread the keys of an id from the database, in case another master has just changed them."""
        self.ledger.refresh(id)

    def stamp(self, id: str) -> tuple[int, ...] | None:
        """Return the version of an id's accepted key as a tuple, None without an accepted key."""
        version = self.ledger.directories[ACCEPTED].version(check_id(id))
        return (version,) if version else None


def _nothing() -> None:
    """Do nothing after a change."""

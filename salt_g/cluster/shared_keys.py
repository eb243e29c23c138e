"""Keys of minions in the database, for all masters of a cluster.

Each master has all keys in memory, as the log of changes brought them. A change replaces the version that
was in memory, so of two masters that change one key at the same moment the second is refused.
Shapes: as `salt_g/keys/directory.py`, which has them in files.
Errors: KeysError for a change that came second; StoreError while the database cannot be asked.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from salt_g.cache.store import Store
from salt_g.cluster import tables
from salt_g.cluster.tables import KeyChange
from salt_g.errors import KeysError
from salt_g.keys.admission import ACCEPTED, STATES
from salt_g.keys.files import KeyFiles
from salt_g.wire.ids import check_id
from salt_g.wire.pem import clean_pem

#: Number of times that a change is repeated for newer versions of the same key.
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
        """Return the ids that have a key here."""
        if self._names is None:
            self._names = frozenset(self._keys)
        return self._names

    def about(self) -> int:
        """Return the number of keys."""
        return len(self._keys)

    def read(self, id: str) -> str | None:
        """Return the key of an id, or None if it has no key in this state."""
        found = self._keys.get(check_id(id))
        return found.pem if found is not None else None

    def write(self, id: str, pem: str) -> None:
        """Store a key, replacing any other."""
        self._ledger.change(
            KeyChange(check_id(id), self._state, clean_pem(pem), self.version(id), time.time())
        )

    def remove(self, id: str) -> bool:
        """Remove the key of an id; return whether there was one."""
        if check_id(id) not in self._keys:
            return False
        self._ledger.change(KeyChange(id, self._state, "", self.version(id)))
        return True

    def move(self, id: str, other: SharedDirectory) -> None:
        """Move a key to another state, replacing any key there."""
        self._ledger.change(
            KeyChange(check_id(id), self._state, "", self.version(id), time.time(), moved_to=other._state)
        )

    def changed(self, id: str) -> float:
        """Return when the key of an id was written, seconds since the epoch; 0.0 without one."""
        found = self._keys.get(id)
        return found.changed if found is not None else 0.0

    def version(self, id: str) -> int:
        """Return the version of the key of an id, 0 without one."""
        found = self._keys.get(id)
        return found.version if found is not None else 0

    def note(self, id: str, key: _Key | None) -> None:
        """Reread the key of an id from the database."""
        if key is None:
            self._keys.pop(id, None)
        else:
            self._keys[id] = key
        self._names = None


class KeyLedger:
    """All keys as this master knows them; `last` is the place in the log of its newest own change."""

    def __init__(self, store: Store) -> None:
        self.path = store.path
        self.last = 0
        self.directories = {state: SharedDirectory(state, self) for state in STATES}
        self._store = store
        self._on_change: Callable[[], None] = _nothing

    def start(self, on_change: Callable[[], None]) -> None:
        """Read all keys; `on_change` is called after each own change."""
        self._on_change = on_change
        self._take(self._store.read(tables.KEYS))

    def import_files(self, files: KeyFiles) -> bool:
        """Bring the keys in a master's files if no master has; return whether they were taken."""
        keys = [
            KeyChange(id, state, pem, 0, directory.changed(id))
            for state, directory in files.directories.items()
            for id in sorted(directory.names())
            if (pem := directory.read(id))
        ]
        return bool(self._store.write(tables.IMPORT_KEYS, keys).result())

    def change(self, change: KeyChange) -> None:
        """Make a change, for all masters; raise KeysError if another one came first.

        A newer version of the same key is no reason: a pending minion that signs in at another master again
        makes one, which this master may not know yet.
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
                f"the key of {change.id} was changed by another master at the same moment; repeat it",
            )
        self.last = max(self.last, n)
        self._on_change()

    def refresh(self, id: str) -> None:
        """Read the keys of an id after a change."""
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
    """Keys of all states, shared by masters; the master's own key pair stays in `pki_dir`."""

    def __init__(self, pki_dir: str, ledger: KeyLedger) -> None:
        super().__init__(pki_dir)
        self.ledger = ledger
        self.directories = ledger.directories  # type: ignore[assignment]

    def refresh(self, id: str) -> None:
        """Read the keys of an id from the database: another master may have changed them a moment ago."""
        self.ledger.refresh(id)

    def stamp(self, id: str) -> tuple[int, ...] | None:
        """Return the version of an id's accepted key, None without one."""
        version = self.ledger.directories[ACCEPTED].version(check_id(id))
        return (version,) if version else None


def _nothing() -> None:
    """Notify nobody."""

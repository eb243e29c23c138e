"""Invitations in the database, shared by all masters of a cluster, so that a code is used up on all of them.

A change succeeds only if the version that it has read is still current, so that of two masters that redeem
the same code only one succeeds.
Errors: KeysError for a change that came second; StoreError while the database is unavailable.
"""

from __future__ import annotations

import contextlib
import json
import threading
from collections.abc import Iterator

from salt_g.cache.store import Store
from salt_g.cluster import tables
from salt_g.errors import KeysError
from salt_g.keys.invitations import Invitations, KeptInvitations

NAME = "invitations"


class SharedInvitations(Invitations):
    """Invitations of all masters; see `keys.invitations`."""

    def __init__(self, pki_dir: str, store: Store) -> None:
        super().__init__(pki_dir)
        self.path = f"{store.path}, invitations"
        self._store = store
        self._turn = threading.Lock()

    def _seen(self) -> KeptInvitations:
        return self._read()

    def _read(self) -> KeptInvitations:
        return self._versioned()[1]

    def _versioned(self) -> tuple[int, KeptInvitations]:
        rows = self._store.read(tables.SHARED, (NAME,))
        return (
            (rows[0][0], KeptInvitations.parse(json.loads(bytes(rows[0][1]))))
            if rows
            else (0, KeptInvitations({}, {}))
        )

    @contextlib.contextmanager
    def _changing(self) -> Iterator[KeptInvitations]:
        with self._turn:
            version, kept = self._versioned()
            kept.forget(self._clock())
            yield kept
            change = (NAME, version, kept.text().encode())
            if not self._store.write(tables.SHARE, change, len(change[2])).result():
                raise KeysError(
                    self.path, "another master changed the invitations at the same moment; try again"
                )

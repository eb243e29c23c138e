"""Access to the shared data of a cluster for command line programs, which are not masters.

Errors: StoreError while the database is unavailable; KeysError for a change of keys without a master.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from salt_g.auth.tokens import Tokens
from salt_g.cache.store import Store
from salt_g.cache.store_choice import server_url, store_at
from salt_g.cluster import tables
from salt_g.cluster.observed_beats import BEAT, LEASE, Member, ObservedBeats
from salt_g.cluster.sealing import Sealing
from salt_g.cluster.shared_invitations import SharedInvitations
from salt_g.cluster.shared_keys import KeyLedger, SharedKeys
from salt_g.cluster.shared_tokens import SharedTokens
from salt_g.cluster.tables import KeyRowChange
from salt_g.errors import CommandExecutionError, KeysError
from salt_g.keys.files import KeyFiles
from salt_g.keys.invitations import Invitations
from salt_g.keys.pair import load_or_make
from salt_g.shapes import Opts
from salt_g.shapes.loads import TokenContent


class _ReadKeys(KeyLedger):
    """Read-only keys of a cluster."""

    def change(self, change: KeyRowChange) -> None:
        """Raise KeysError, because only a master may change shared keys."""
        raise KeysError(
            self.path, "keys are shared by the masters of a cluster; change them where a master runs"
        )


def shared_key_files(opts: Opts) -> SharedKeys:
    """Return a read-only snapshot of the keys of a cluster."""
    ledger = _ReadKeys(store_at(server_url(opts)))
    ledger.start(lambda: None)
    return SharedKeys(opts["pki_dir"], ledger)


def read_invitations(opts: Opts) -> SharedInvitations:
    """Return the invitations of a cluster, read-only."""
    return SharedInvitations(opts["pki_dir"], store_at(server_url(opts)))


@contextmanager
def shared_invitations(opts: Opts) -> Iterator[SharedInvitations]:
    """Yield the invitations of a cluster, with write access."""
    # The name has a suffix, because a master with this id may run beside this program.
    with store_at(server_url(opts), member=f"{opts.get('id')} {os.getpid()}") as store:
        yield SharedInvitations(opts["pki_dir"], store)


def export_keys(opts: Opts) -> int:
    """Write the shared keys, invitations and login tokens of a cluster into the files of this master.

    Return the number of keys. Entries in the files that the cluster does not have are removed.
    """
    shared, files = shared_key_files(opts), KeyFiles(opts["pki_dir"])
    count = 0
    for state, directory in files.directories.items():
        kept = shared.directories[state]
        for id in directory.names() - kept.names():
            directory.remove(id)
        for id in sorted(kept.names()):
            directory.write(id, kept.read(id) or "")
            count += 1
    Invitations(opts["pki_dir"]).replace(read_invitations(opts).text())
    Tokens(opts["token_dir"]).replace_all(_read_tokens(opts))
    return count


def _read_tokens(opts: Opts) -> dict[str, TokenContent]:
    """Return the login tokens of a cluster that have not expired."""
    identity = load_or_make(opts["pki_dir"], "master", bits=opts["keysize"], passphrase=opts["key_pass"])
    tokens = SharedTokens(opts["token_dir"], store_at(server_url(opts)))
    tokens.use(Sealing(identity))
    return {digest: data for digest, data in tokens.contents().items() if data["expire"] > time.time()}


class Status:
    """Masters of a cluster and their leader; `live` are the ids whose beats were observed."""

    def __init__(self, members: list[Member], live: set[str], leader: str) -> None:
        self.members = members
        self.live = live
        self.leader = leader

    def state(self, member: Member) -> str:
        """Return `leader`, `live` or `away` for a member."""
        return "leader" if member.id == self.leader else "live" if member.id in self.live else "away"

    def minions(self, member: Member) -> int:
        """Return the number of minions connected to a member, 0 if it is away."""
        return member.minions if member.id in self.live else 0

    def as_map(self) -> dict[str, dict[str, Any]]:
        """Return the masters by id as plain data."""
        return {
            member.id: {
                "live": member.id in self.live,
                "leader": member.id == self.leader,
                "host": member.host,
                "release": member.release,
                "minions": self.minions(member),
                "seen": member.seen,
            }
            for member in self.members
        }


class StatusMonitor:
    """Continuous observation of a cluster, in which a master without a beat for a lease counts as away."""

    def __init__(self, store: Store, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._store = store
        self._clock = clock
        self._beats = ObservedBeats()

    def status(self) -> Status:
        """Return the current status of the cluster; raises StoreError."""
        members = _members(self._store)
        self._beats.note(members, self._clock())
        return _status_of(self._store, members, set(self._beats.live(self._clock())))


def status(store: Store) -> Status:
    """Return the status of a cluster after waiting for beats (about 1 s if all live); raises StoreError."""
    before = {member.id: (member.epoch, member.beat) for member in _members(store)}
    end, live = time.monotonic() + LEASE, set[str]()
    while True:
        time.sleep(BEAT / 2)
        members = _members(store)
        live |= {one.id for one in members if before.get(one.id) != (one.epoch, one.beat)}
        if live >= {member.id for member in members} or time.monotonic() > end:
            break
    return _status_of(store, members, live)


def forget(url: str, id: str) -> None:
    """Remove a master that will not come back, which otherwise happens only a day after its last beat.

    Raise CommandExecutionError if the master is live or not a member; raises StoreError.
    """
    found = status(store_at(url))
    gone = next((member for member in found.members if member.id == id), None)
    if gone is None:
        names = ", ".join(member.id for member in found.members) or "none"
        raise CommandExecutionError(f"the cluster has no master {id!r}; its masters are: {names}")
    with store_at(url, member=f"forget {id} {os.getpid()}") as store:
        row = (gone.id, gone.epoch, gone.beat)
        # No write for a master whose beat was seen, because the write would succeed until the next beat.
        if id in found.live or not store.write(tables.FORGET_MASTER, row).result():
            raise CommandExecutionError(f"master {id!r} is live: stop it, which removes it from the cluster")


def _status_of(store: Store, members: list[Member], live: set[str]) -> Status:
    found = store.read(tables.LEADER)
    leader = str(found[0][0]) if found else ""
    return Status(members, live, leader if leader in live else "")


def _members(store: Store) -> list[Member]:
    return [Member(*row) for row in store.read(tables.MEMBERS)]

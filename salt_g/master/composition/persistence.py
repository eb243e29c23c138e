"""Persistent parts of a master: store, key files, keys of users, tokens."""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import partial

from salt_g.auth.local_users import acl_users
from salt_g.auth.scoped_tokens import ScopedTokens
from salt_g.auth.tokens import Tokens
from salt_g.cache.banks import Banks
from salt_g.cache.green_futures import GreenWaiting
from salt_g.cache.jobs import Jobs
from salt_g.cache.observed_banks import minion_banks
from salt_g.cache.stock_files import StockJobFiles
from salt_g.cache.store import Store
from salt_g.cache.store_choice import open_store
from salt_g.keys.admission import STATES
from salt_g.keys.files import KeyFiles
from salt_g.master.calls.user_keys import UserKeys
from salt_g.process import disk
from salt_g.process.offload import offload
from salt_g.shapes import Opts


@dataclass(frozen=True)
class Persistence:
    """Persistent parts of a master. `store` is not started."""

    store: Store
    jobs: Jobs
    banks: Banks
    stock_files: StockJobFiles
    key_files: KeyFiles
    user_keys: UserKeys
    tokens: Tokens
    scoped_tokens: ScopedTokens

    def drops_repeated(self, id: str) -> bool:
        """Return whether a minion drops a repeated job, as minions of salt-g (known by their grains) do."""
        return "saltgversion" in self.banks.fetch("grains", id)


def compose_persistence(opts: Opts) -> Persistence:
    """Create the directories of a master and the parts that store data in them.

    Raise OSError, ConfigError.
    """
    check_cluster(opts)
    _make_directories(opts)
    store = open_store(opts, GreenWaiting())
    users = acl_users(opts["publisher_acl"] or {}, verify=opts["client_acl_verify"])
    return Persistence(
        store=store,
        jobs=Jobs(store, suffix=f"_{os.getpid()}" if opts["unique_jid"] else ""),
        banks=_banks(opts, store),
        stock_files=StockJobFiles(opts["cachedir"], hash_type=opts["hash_type"]),
        key_files=_key_files(opts, store),
        user_keys=UserKeys(opts["cachedir"], opts["user"], users),
        tokens=_tokens(opts, store),
        scoped_tokens=ScopedTokens(Tokens(os.path.join(opts["cachedir"], "scoped_tokens"))),
    )


def check_cluster(opts: Opts) -> None:
    """Raise ConfigError for settings that cannot be used in a cluster."""
    if opts.get("cluster"):
        from salt_g.cluster.cluster_settings import ClusterSettings

        ClusterSettings.of(opts)


def _banks(opts: Opts, store: Store) -> Banks:
    if not opts.get("cluster"):
        return minion_banks(opts, store)
    from salt_g.cluster.shared_banks import SharedBanks

    return SharedBanks(store)


def _key_files(opts: Opts, store: Store) -> KeyFiles:
    """Return the keys of minions: in files, or in the database that masters share."""
    if not opts.get("cluster"):
        return KeyFiles(opts["pki_dir"], write=partial(offload, disk.write_whole))
    from salt_g.cluster.shared_keys import KeyLedger, SharedKeys

    return SharedKeys(opts["pki_dir"], KeyLedger(store))


def _tokens(opts: Opts, store: Store) -> Tokens:
    """Return the login tokens: in files, or in the database that masters share."""
    if not opts.get("cluster"):
        return Tokens(opts["token_dir"])
    from salt_g.cluster.shared_tokens import SharedTokens

    return SharedTokens(opts["token_dir"], store)


def _make_directories(opts: Opts) -> None:
    for name in ("cachedir", "pki_dir", "sock_dir"):
        disk.make_private_directory(opts[name])
    # Stock's salt-run and salt-key write files there and expect the directories to exist.
    disk.make_private_directory(os.path.join(opts["cachedir"], "proc"))
    for state in STATES:
        disk.make_private_directory(os.path.join(opts["pki_dir"], state))

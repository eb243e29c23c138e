"""Choice of the database by the setting `store`.

Errors: ConfigError for a value that names no database, with what to write or to install.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from salt_g.cache.embedded_store import FILE_NAME, EmbeddedStore
from salt_g.cache.postgres.address import WITHOUT_URL, checked
from salt_g.errors import ClusterRefused, ConfigError, StoreError
from salt_g.shapes import Opts

if TYPE_CHECKING:
    from salt_g.cache.futures import Waiting
    from salt_g.cache.store import Store


def open_store(opts: Opts, waiting: Waiting | None = None) -> Store:
    """Return the store of a master, not started."""
    url = server_url(opts)
    if not url:
        return EmbeddedStore(opts["cachedir"], waiting=waiting)
    return store_at(url, waiting, member=str(opts["id"]) if opts.get("cluster") else "")


def server_url(opts: Opts) -> str:
    """Return the URL in the setting `store`, "" without one.

    A mapping is a profile of sdb that has this name, which users chose freely before the setting was there.
    """
    value = opts.get("store")
    return value if isinstance(value, str) else ""


def store_at(
    url: str,
    waiting: Waiting | None = None,
    *,
    member: str = "",
    name: str = "store",
    otherwise: str = WITHOUT_URL,
) -> Store:
    """Return the store on a server, not started; `member` is the id of a master in a cluster.

    Errors give the `name` of the setting or option with the URL, and what to write `otherwise`.
    """
    checked(url, name, otherwise)
    try:
        # Imported lazily: only masters with the setting need the library.
        from salt_g.cache.postgres.server import checked_parameters
        from salt_g.cache.postgres.store import PostgresStore
    except ImportError as exc:
        raise ConfigError(
            [f"store: PostgreSQL needs the library psycopg ({exc}); pip install 'salt-g[postgres]'"]
        ) from exc
    return PostgresStore(checked_parameters(url, name), waiting=waiting, member=member)


def check_alone(store: Store, opts: Opts) -> None:
    """Raise ClusterRefused if a master alone would use a database that has the keys of a cluster.

    Its own files may still have keys that the cluster has removed.
    """
    try:
        found = server_url(opts) and store.read("SELECT 1 FROM shared WHERE name = 'keys'")
    except StoreError:
        return
    if found:
        raise ClusterRefused(
            store.path,
            "has the keys of a cluster: write cluster: true into the master's file, or leave the cluster with"
            " salt-g store migrate --to embedded",
        )


def was_written(opts: Opts) -> bool:
    """Return whether there may be data: a server is there, a file only after a master has run.

    There may be some where this user must not look: reading it says so.
    """
    if server_url(opts):
        return True
    try:
        os.stat(os.path.join(opts["cachedir"], FILE_NAME))
    except PermissionError:
        return True
    except OSError:
        return False
    return True

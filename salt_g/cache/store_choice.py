"""Choice of the store's database by the setting `store`.

Errors: ConfigError for an invalid value or a missing library, with advice.
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
    """Return the store of a master, not yet started."""
    url = server_url(opts)
    if not url:
        return EmbeddedStore(opts["cachedir"], waiting=waiting)
    return store_at(url, waiting, member=str(opts["id"]) if opts.get("cluster") else "")


def server_url(opts: Opts) -> str:
    """Return the URL in the setting `store`, "" if it has none.

    A mapping is an sdb profile with the name `store`, which users could choose before the setting existed.
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
    """Return the store on a server, not yet started; `member` is the id of a master in a cluster.

    Errors contain `name`, the setting or option with the URL, and the advice `otherwise`.
    """
    checked(url, name, otherwise)
    try:
        # Imported lazily: only masters with a PostgreSQL store need the library.
        from salt_g.cache.postgres.server import checked_parameters
        from salt_g.cache.postgres.store import PostgresStore
    except ImportError as exc:
        raise ConfigError(
            [f"store: PostgreSQL needs the library psycopg ({exc}); pip install 'salt-g[postgres]'"]
        ) from exc
    return PostgresStore(checked_parameters(url, name), waiting=waiting, member=member)


def check_alone(store: Store, opts: Opts) -> None:
    """Raise ClusterRefused if a master without a cluster would use a database that has a cluster's keys.

    The master's own files may still have keys that the cluster has removed.
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
    """Return whether the store may have data: always on a server, in a file only after a master has run.

    If this user is not permitted to look, the answer is True, and reading reports the problem.
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

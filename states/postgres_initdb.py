"""States of PostgreSQL data directories."""

from __future__ import annotations

from typing import Any

from salt_g.api import call
from salt_g.shapes import StateReturn
from salt_g.states._named_objects import Texts
from salt_g.states._postgres import Given, checked_result, last_error, needs


def __virtual__() -> bool | tuple[bool, str]:
    return needs("postgres.datadir_init")


def present(
    name: str,
    user: Given = None,
    password: Given = None,
    auth: str = "password",
    encoding: str = "UTF8",
    locale: Given = None,
    runas: Given = None,
    waldir: Given = None,
    checksums: bool = False,
) -> StateReturn:
    """Ensure that a directory contains an initialized database cluster.

    `user` and `password` are those of its first role; `runas` is the system user that owns it; `auth` is
    the authentication method of local users, `waldir` the directory of the write-ahead log; `checksums`
    enables checksums of data pages.

    Example::

        salt-g state.single postgres_initdb.present /srv/pgsql/data auth=peer
    """
    last_error()
    texts = Texts(
        already=f"Postgres data directory {name} is already present",
        would=f"Postgres data directory {name} is set to be initialized",
        done=f"Postgres data directory {name} has been initialized",
        failed=f"Postgres data directory {name} initialization failed",
    )
    how: dict[str, Any] = {"user": user, "password": password, "auth": auth, "encoding": encoding}
    how |= {"locale": locale, "runas": runas, "waldir": waldir, "checksums": checksums}
    return checked_result(
        name,
        texts,
        is_reached=call("postgres.datadir_exists", name),
        act=lambda: call("postgres.datadir_init", name, **how),
        changes={name: "Present"},
    )

"""States of PostgreSQL databases."""

from __future__ import annotations

from typing import Any

from salt_g.api import call
from salt_g.shapes import StateReturn
from salt_g.states._named_objects import Texts
from salt_g.states._outcome import failed
from salt_g.states._postgres import Given, Port, checked_result, needs, removed, server


def __virtual__() -> bool | tuple[bool, str]:
    return needs("postgres.user_exists")


def present(
    name: str,
    tablespace: Given = None,
    encoding: Given = None,
    lc_collate: Given = None,
    lc_ctype: Given = None,
    owner: Given = None,
    owner_recurse: bool = False,
    template: Given = None,
    user: Given = None,
    maintenance_db: Given = None,
    db_password: Given = None,
    db_host: Given = None,
    db_port: Port = None,
    db_user: Given = None,
) -> StateReturn:
    """Ensure that a database exists with this owner and tablespace.

    Encoding and locales apply to a new database; the state fails if those of an existing one differ.
    `owner_recurse` also changes the owner of the objects in the database.

    Example::

        salt-g state.single postgres_database.present shop owner=shop encoding=UTF8 template=template0
    """
    at = server(user, db_user, db_password, db_host, db_port, maintenance_db)
    known = call("postgres.db_list", **at)
    place = {"tablespace": tablespace, "owner": owner}
    fixed = {"encoding": encoding, "lc_collate": lc_collate, "lc_ctype": lc_ctype}
    if name not in known:
        return _create(name, {**place, **fixed, "template": template, **at})
    if _differs(known[name], **fixed):
        return failed(name, f"Database {name} has wrong parameters which couldn't be changed on fly.")
    texts = Texts(
        already=f"Database {name} is already present",
        would=f"Database {name} exists, but parameters need to be changed",
        done=f"Parameters for database {name} have been changed",
        failed=f"Failed to change parameters for database {name}",
    )
    return checked_result(
        name,
        texts,
        is_reached=not _differs(known[name], **place),
        act=lambda: call("postgres.db_alter", name, **place, owner_recurse=owner_recurse, **at),
        changes={name: "Parameters changed"},
    )


def _create(name: str, arguments: dict[str, Any]) -> StateReturn:
    texts = Texts(
        already="",
        would=f"Database {name} is set to be created",
        done=f"The database {name} has been created",
        failed=f"Failed to create database {name}",
    )
    return checked_result(
        name,
        texts,
        is_reached=False,
        act=lambda: call("postgres.db_create", name, **arguments),
        changes={name: "Present"},
    )


def absent(
    name: str,
    user: Given = None,
    maintenance_db: Given = None,
    db_password: Given = None,
    db_host: Given = None,
    db_port: Port = None,
    db_user: Given = None,
) -> StateReturn:
    """Ensure that a database does not exist; connections to it are closed.

    Example::

        salt-g state.single postgres_database.absent shop
    """
    at = server(user, db_user, db_password, db_host, db_port, maintenance_db)
    return removed("Database", name, ("postgres.db_exists", "postgres.db_remove"), at)


def _differs(known: dict[str, str], **wanted: Given) -> bool:
    """Return whether a given parameter differs from the current value."""
    columns = {"lc_collate": "Collate", "lc_ctype": "Ctype"}
    differing = (
        (known[columns.get(argument, argument.capitalize())], value, argument)
        for argument, value in wanted.items()
        if value
    )
    return any(
        has.lower() != value.lower() if argument == "encoding" else has != value
        for has, value, argument in differing
    )

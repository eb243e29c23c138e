"""States of PostgreSQL schemas."""

from __future__ import annotations

from typing import Any

from salt_g.api import call
from salt_g.shapes import StateReturn
from salt_g.states._named_objects import Texts
from salt_g.states._postgres import Given, Port, checked_result, last_error, needs


def __virtual__() -> bool | tuple[bool, str]:
    return needs("postgres.schema_exists")


def present(
    dbname: str,
    name: str,
    owner: Given = None,
    user: Given = None,
    db_user: Given = None,
    db_password: Given = None,
    db_host: Given = None,
    db_port: Port = None,
) -> StateReturn:
    """Ensure that a database has a schema. The owner applies to a new schema.

    Example::

        salt-g state.single postgres_schema.present name=stock dbname=shop
    """
    at = _server(user, db_user, db_password, db_host, db_port)
    texts = Texts(
        already=f"Schema {name} already exists in database {dbname}",
        would=f"Schema {name} is set to be created in database {dbname}.",
        done=f"Schema {name} has been created in database {dbname}",
        failed=f"Failed to create schema {name} in database {dbname}",
    )
    result = checked_result(
        name,
        texts,
        is_reached=call("postgres.schema_get", dbname, name, **at) is not None,
        act=lambda: call("postgres.schema_create", dbname, name, owner=owner, **at),
        changes={name: "Present"},
    )
    return {**result, "dbname": dbname}  # type: ignore[typeddict-unknown-key]


def absent(
    dbname: str,
    name: str,
    user: Given = None,
    db_user: Given = None,
    db_password: Given = None,
    db_host: Given = None,
    db_port: Port = None,
) -> StateReturn:
    """Ensure that a database does not have a schema; only an empty one is removed.

    Example::

        salt-g state.single postgres_schema.absent name=stock dbname=shop
    """
    at = _server(user, db_user, db_password, db_host, db_port)
    texts = Texts(
        already=f"Schema {name} is not present in database {dbname}, so it cannot be removed",
        would=f"Schema {name} is set to be removed from database {dbname}",
        done=f"Schema {name} has been removed from database {dbname}",
        failed=f"Schema {name} failed to be removed",
    )
    result = checked_result(
        name,
        texts,
        is_reached=not call("postgres.schema_exists", dbname, name, **at),
        act=lambda: call("postgres.schema_remove", dbname, name, **at),
        changes={name: "Absent"},
    )
    return {**result, "dbname": dbname}  # type: ignore[typeddict-unknown-key]


def _server(user: Given, db_user: Given, db_password: Given, db_host: Given, db_port: Port) -> dict[str, Any]:
    last_error()
    address = {"db_user": db_user, "db_password": db_password, "db_host": db_host, "db_port": db_port}
    return {"user": user, **address}

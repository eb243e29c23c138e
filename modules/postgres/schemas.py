"""Schemas of a database.

Here `user` is the system user to run psql as, and the arguments of the connection begin with `db_`.
"""

from __future__ import annotations

import logging

import salt_g.modules.postgres._sql as _sql
from salt_g.modules.postgres._psql import Given, Port, Server, by_name, execute, rows, succeeds

log = logging.getLogger(__name__)

_LIST = (
    'SELECT nspname AS "name", rolname AS "owner", nspacl AS "acl" '
    "FROM pg_namespace LEFT JOIN pg_roles ON pg_roles.oid = pg_namespace.nspowner"
)


def schema_list(
    dbname: str,
    user: Given = None,
    db_user: Given = None,
    db_password: Given = None,
    db_host: Given = None,
    db_port: Port = None,
) -> dict[str, dict[str, str]]:
    """Return {name: {"owner", "acl"}} of the schemas of a database.

    Example::

        salt-g postgres.schema_list shop
    """
    server = Server(db_user, db_host, db_port, dbname, db_password, user)
    return by_name(rows(server, _LIST), "name")


def schema_get(
    dbname: str,
    name: str,
    user: Given = None,
    db_user: Given = None,
    db_password: Given = None,
    db_host: Given = None,
    db_port: Port = None,
) -> dict[str, str] | None:
    """Return {"owner", "acl"} of a schema, or None if it does not exist.

    Example::

        salt-g postgres.schema_get shop stock
    """
    return schema_list(dbname, user, db_user, db_password, db_host, db_port).get(name)


def schema_exists(
    dbname: str,
    name: str,
    user: Given = None,
    db_user: Given = None,
    db_password: Given = None,
    db_host: Given = None,
    db_port: Port = None,
) -> bool:
    """Return whether a database has a schema of this name.

    Example::

        salt-g postgres.schema_exists shop stock
    """
    return bool(schema_get(dbname, name, user, db_user, db_password, db_host, db_port))


def schema_create(
    dbname: str,
    name: str,
    owner: Given = None,
    user: Given = None,
    db_user: Given = None,
    db_password: Given = None,
    db_host: Given = None,
    db_port: Port = None,
) -> bool:
    """Create a schema; return whether it was created, False if it exists already.

    Example::

        salt-g postgres.schema_create shop stock owner=keeper
    """
    if schema_exists(dbname, name, user, db_user, db_password, db_host, db_port):
        log.info("'%s' already exists in '%s'", name, dbname)
        return False
    sql = f"CREATE SCHEMA {_sql.name(name)}"
    sql += f" AUTHORIZATION {_sql.name(owner)}" if owner is not None else ""
    return succeeds(Server(db_user, db_host, db_port, dbname, db_password, user), sql)


def schema_remove(
    dbname: str,
    name: str,
    user: Given = None,
    db_user: Given = None,
    db_password: Given = None,
    db_host: Given = None,
    db_port: Port = None,
) -> bool:
    """Remove an empty schema; return whether that succeeded.

    Example::

        salt-g postgres.schema_remove shop stock
    """
    place = (user, db_user, db_password, db_host, db_port)
    if not schema_exists(dbname, name, *place):
        log.info("Schema '%s' does not exist in '%s'", name, dbname)
        return False
    server = Server(db_user, db_host, db_port, dbname, db_password, user)
    execute(server, f"DROP SCHEMA {_sql.name(name)}")
    return not schema_exists(dbname, name, *place)

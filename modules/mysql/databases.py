"""Databases and their tables."""

from __future__ import annotations

import logging
from typing import Any

from salt_g.modules.mysql._server import ask, identifier, or_else

log = logging.getLogger(__name__)

#: Databases that the server itself needs.
_OWN = ("mysql", "information_schema")


@or_else(list)
def db_list(**connection_args: Any) -> list[str]:
    """Return the names of the databases.

    Example::

        salt-g mysql.db_list
    """
    return [row[0] for row in ask(connection_args, "SHOW DATABASES").rows]


@or_else(dict)
def db_get(name: str, **connection_args: Any) -> dict[str, str]:
    """Return {"character_set", "collate"} of a database, or {} if it does not exist.

    Example::

        salt-g mysql.db_get shop
    """
    query = (
        "SELECT DEFAULT_CHARACTER_SET_NAME, DEFAULT_COLLATION_NAME"
        " FROM INFORMATION_SCHEMA.SCHEMATA WHERE SCHEMA_NAME = %(name)s"
    )
    found = ask(connection_args, query, {"name": name}).rows
    return {"character_set": found[0][0], "collate": found[0][1]} if found else {}


@or_else(bool)
def db_exists(name: str, **connection_args: Any) -> bool:
    """Return whether a database of this name exists.

    Example::

        salt-g mysql.db_exists shop
    """
    return _exists(name, connection_args)


@or_else(list)
def db_tables(name: str, **connection_args: Any) -> list[str] | bool:
    """Return the names of the tables of a database, or False if there is no such database.

    Example::

        salt-g mysql.db_tables shop
    """
    if not _exists(name, connection_args):
        log.info("Database '%s' does not exist", name)
        return False
    return [row[0] for row in ask(connection_args, f"SHOW TABLES IN {identifier(name)}").rows]


@or_else(bool)
def db_create(
    name: str, character_set: str | None = None, collate: str | None = None, **connection_args: Any
) -> bool:
    """Create a database; return whether it was created, False if it exists already.

    Example::

        salt-g mysql.db_create shop utf8mb4
    """
    if _exists(name, connection_args):
        log.info("DB '%s' already exists", name)
        return False
    sql = f"CREATE DATABASE IF NOT EXISTS {identifier(name)}"
    sql += " CHARACTER SET %(character_set)s" if character_set is not None else ""
    sql += " COLLATE %(collate)s" if collate is not None else ""
    ask(connection_args, sql, {"character_set": character_set, "collate": collate})
    return True


@or_else(bool)
def alter_db(
    name: str, character_set: str | None = None, collate: str | None = None, **connection_args: Any
) -> bool:
    """Change character set and collation of a database; return whether that succeeded.

    Example::

        salt-g mysql.alter_db shop character_set=utf8mb4 collate=utf8mb4_general_ci
    """
    sql = f"ALTER DATABASE {identifier(name)}"
    sql += " CHARACTER SET %(character_set)s" if character_set else ""
    sql += " COLLATE %(collate)s" if collate else ""
    ask(connection_args, sql, {"character_set": character_set, "collate": collate})
    return True


@or_else(bool)
def db_remove(name: str, **connection_args: Any) -> bool:
    """Remove a database, unless it is one of the server's own; return whether that succeeded.

    Example::

        salt-g mysql.db_remove shop
    """
    if not _exists(name, connection_args):
        log.info("DB '%s' does not exist", name)
        return False
    if name in _OWN:
        log.info("DB '%s' may not be removed", name)
        return False
    ask(connection_args, f"DROP DATABASE {identifier(name)}")
    return not _exists(name, connection_args)


def db_check(name: str, table: str | None = None, **connection_args: Any) -> list[Any]:
    """Check a table, or every table of a database if `table` is None.

    Returns the rows of the server's answer, or with `table` None a list of them for each table.

    Example::

        salt-g mysql.db_check shop orders
    """
    return _on_tables("CHECK", name, table, connection_args)


def db_repair(name: str, table: str | None = None, **connection_args: Any) -> list[Any]:
    """Repair a table, or every table of a database if `table` is None.

    Returns the rows of the server's answer, or with `table` None a list of them for each table.

    Example::

        salt-g mysql.db_repair shop orders
    """
    return _on_tables("REPAIR", name, table, connection_args)


def db_optimize(name: str, table: str | None = None, **connection_args: Any) -> list[Any]:
    """Optimize a table, or every table of a database if `table` is None.

    Returns the rows of the server's answer, or with `table` None a list of them for each table.

    Example::

        salt-g mysql.db_optimize shop orders
    """
    return _on_tables("OPTIMIZE", name, table, connection_args)


def _exists(name: str, connection_args: dict[str, Any]) -> bool:
    query = "SELECT 1 FROM INFORMATION_SCHEMA.SCHEMATA WHERE SCHEMA_NAME = %(name)s"
    return bool(ask(connection_args, query, {"name": name}).rows)


@or_else(list)
def _on_tables(verb: str, name: str, table: str | None, connection_args: dict[str, Any]) -> list[Any]:
    """Run a statement on one table and return the rows, or on each table and return a list of results."""
    if table is not None:
        return ask(connection_args, f"{verb} TABLE {identifier(name)}.{identifier(table)}").dicts()
    tables = db_tables(name, **connection_args) or []
    assert isinstance(tables, list)
    return [_on_tables(verb, name, each, connection_args) for each in tables]

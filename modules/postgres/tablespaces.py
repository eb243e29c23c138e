"""Tablespaces: separate directories for data."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import salt_g.modules.postgres._sql as _sql
from salt_g.modules.postgres._psql import Given, Port, Server, by_name, rows, succeeds

_LIST = (
    'SELECT spcname AS "Name", pga.rolname AS "Owner", spcacl AS "ACL", spcoptions AS "Opts", '
    'pg_tablespace_location(pgts.oid) AS "Location" '
    "FROM pg_tablespace pgts, pg_roles pga WHERE pga.oid = pgts.spcowner"
)


def tablespace_list(
    user: Given = None,
    host: Given = None,
    port: Port = None,
    maintenance_db: Given = None,
    password: Given = None,
    runas: Given = None,
) -> dict[str, dict[str, str]]:
    """Return {name: {"Owner", "ACL", "Opts", "Location"}} of the tablespaces.

    Example::

        salt-g postgres.tablespace_list
    """
    return by_name(rows(Server(user, host, port, maintenance_db, password, runas), _LIST))


def tablespace_exists(
    name: str,
    user: Given = None,
    host: Given = None,
    port: Port = None,
    maintenance_db: Given = None,
    password: Given = None,
    runas: Given = None,
) -> bool:
    """Return whether a tablespace of this name exists.

    Example::

        salt-g postgres.tablespace_exists fast
    """
    return name in tablespace_list(user, host, port, maintenance_db, password, runas)


def tablespace_create(
    name: str,
    location: str,
    options: Mapping[str, Any] | None = None,
    owner: Given = None,
    user: Given = None,
    host: Given = None,
    port: Port = None,
    maintenance_db: Given = None,
    password: Given = None,
    runas: Given = None,
) -> bool:
    """Create a tablespace in an empty directory owned by the server's user; return whether that succeeded.

    `options` is {option: value}.

    Example::

        salt-g postgres.tablespace_create fast /srv/fast owner=keeper
    """
    sql = f"CREATE TABLESPACE {_sql.name(name)}"
    sql += f" OWNER {_sql.name(owner)}" if owner else ""
    sql += f" LOCATION {_sql.value(location)}"
    if options:
        sql += f" WITH ({', '.join(f'{key} = {value}' for key, value in options.items())})"
    return succeeds(Server(user, host, port, maintenance_db, password, runas), sql)


def tablespace_alter(
    name: str,
    user: Given = None,
    host: Given = None,
    port: Port = None,
    maintenance_db: Given = None,
    password: Given = None,
    new_name: Given = None,
    new_owner: Given = None,
    set_option: Mapping[str, Any] | None = None,
    reset_option: Given = None,
    runas: Given = None,
) -> bool:
    """Change a tablespace; return whether that succeeded.

    `set_option` is {option: value}, `reset_option` the name of an option.

    Example::

        salt-g postgres.tablespace_alter fast new_owner=keeper
    """
    server = Server(user, host, port, maintenance_db, password, runas)
    clauses = [f"SET ({key} = {value})" for key, value in (set_option or {}).items()]
    clauses += [f"RESET ({reset_option})"] if reset_option else []
    clauses += [f"OWNER TO {_sql.name(new_owner)}"] if new_owner else []
    # Its new name last: the other clauses use the old one.
    clauses += [f"RENAME TO {_sql.name(new_name)}"] if new_name else []
    return all(succeeds(server, f"ALTER TABLESPACE {_sql.name(name)} {clause}") for clause in clauses)


def tablespace_remove(
    name: str,
    user: Given = None,
    host: Given = None,
    port: Port = None,
    maintenance_db: Given = None,
    password: Given = None,
    runas: Given = None,
) -> bool:
    """Remove an empty tablespace; return whether that succeeded.

    Example::

        salt-g postgres.tablespace_remove fast
    """
    return succeeds(
        Server(user, host, port, maintenance_db, password, runas), f"DROP TABLESPACE {_sql.name(name)}"
    )

"""Databases: list, create, alter, remove; change the owner of a database with its contents."""

from __future__ import annotations

import salt_g.modules.postgres._sql as _sql
from salt_g.errors import CommandExecutionError
from salt_g.modules.postgres._psql import (
    Given,
    Port,
    Server,
    by_name,
    execute,
    execute_secret,
    rows,
    succeeds,
)
from salt_g.shapes import Completed

_LIST = (
    'SELECT datname AS "Name", pga.rolname AS "Owner", pg_encoding_to_char(encoding) AS "Encoding", '
    'datcollate AS "Collate", datctype AS "Ctype", datacl AS "Access privileges", spcname AS "Tablespace" '
    "FROM pg_database pgd, pg_roles pga, pg_tablespace pgts "
    "WHERE pga.oid = pgd.datdba AND pgts.oid = pgd.dattablespace"
)
_OWN_SCHEMAS = "('pg_catalog', 'information_schema')"
_FUNCTIONS = (
    "SELECT p.oid::regprocedure::text AS n FROM pg_catalog.pg_proc p "
    "JOIN pg_catalog.pg_namespace ns ON p.pronamespace = ns.oid "
    f"WHERE ns.nspname NOT IN {_OWN_SCHEMAS} AND {{}} EXISTS "
    "(SELECT 1 FROM pg_catalog.pg_aggregate a WHERE a.aggfnoid = p.oid)"
)
#: Contents of a database: the kind, and the query for the quoted names.
_CONTENTS = (
    (
        "SCHEMA",
        "SELECT quote_ident(nspname) AS n FROM pg_catalog.pg_namespace "
        "WHERE nspname !~ '^pg_' AND nspname <> 'information_schema'",
    ),
    (
        "TABLE",
        "SELECT quote_ident(table_schema) || '.' || quote_ident(table_name) AS n "
        f"FROM information_schema.tables WHERE table_schema NOT IN {_OWN_SCHEMAS}",
    ),
    ("FUNCTION", _FUNCTIONS.format("NOT")),
    ("AGGREGATE", _FUNCTIONS.format("")),
    (
        "SEQUENCE",
        "SELECT quote_ident(sequence_schema) || '.' || quote_ident(sequence_name) AS n "
        "FROM information_schema.sequences",
    ),
)


def db_list(
    user: Given = None,
    host: Given = None,
    port: Port = None,
    maintenance_db: Given = None,
    password: Given = None,
    runas: Given = None,
) -> dict[str, dict[str, str]]:
    """Return {name: {"Owner", "Encoding", "Collate", "Ctype", "Access privileges", "Tablespace"}}.

    Example::

        salt-g postgres.db_list
    """
    return by_name(rows(Server(user, host, port, maintenance_db, password, runas), _LIST))


def db_exists(
    name: str,
    user: Given = None,
    host: Given = None,
    port: Port = None,
    maintenance_db: Given = None,
    password: Given = None,
    runas: Given = None,
) -> bool:
    """Return whether a database of this name exists.

    Example::

        salt-g postgres.db_exists shop
    """
    return name in db_list(user, host, port, maintenance_db, password, runas)


def db_create(
    name: str,
    user: Given = None,
    host: Given = None,
    port: Port = None,
    maintenance_db: Given = None,
    password: Given = None,
    tablespace: Given = None,
    encoding: Given = None,
    lc_collate: Given = None,
    lc_ctype: Given = None,
    owner: Given = None,
    template: Given = None,
    runas: Given = None,
) -> bool:
    """Create a database; return whether that succeeded.

    Example::

        salt-g postgres.db_create shop owner=shop encoding=UTF8 template=template0
    """
    wanted = {
        "TABLESPACE": tablespace and _sql.name(tablespace),
        "OWNER": owner and _sql.name(owner),
        "TEMPLATE": template and _sql.name(template),
        "ENCODING": encoding and _sql.value(encoding),
        "LC_COLLATE": lc_collate and _sql.value(lc_collate),
        "LC_CTYPE": lc_ctype and _sql.value(lc_ctype),
    }
    options = " ".join(f"{word} = {value}" for word, value in wanted.items() if value)
    sql = f"CREATE DATABASE {_sql.name(name)}" + (f" WITH {options}" if options else "")
    return succeeds(Server(user, host, port, maintenance_db, password, runas), sql)


def db_alter(
    name: str,
    user: Given = None,
    host: Given = None,
    port: Port = None,
    maintenance_db: Given = None,
    password: Given = None,
    tablespace: Given = None,
    owner: Given = None,
    owner_recurse: bool = False,
    runas: Given = None,
) -> bool:
    """Change a database's owner and tablespace; return whether that succeeded.

    `owner_recurse` also changes the owner of its contents.

    Example::

        salt-g postgres.db_alter shop owner=keeper
    """
    server = Server(user, host, port, maintenance_db, password, runas)
    quoted = _sql.name(name)
    is_done = True
    if owner and owner_recurse:
        is_done = owner_to(name, owner, user, host, port, password, runas)["retcode"] == 0
    elif owner:
        is_done = succeeds(server, f"ALTER DATABASE {quoted} OWNER TO {_sql.name(owner)}")
    if tablespace and is_done:
        is_done = succeeds(server, f"ALTER DATABASE {quoted} SET TABLESPACE {_sql.name(tablespace)}")
    return is_done


def db_remove(
    name: str,
    user: Given = None,
    host: Given = None,
    port: Port = None,
    maintenance_db: Given = None,
    password: Given = None,
    runas: Given = None,
) -> bool:
    """Remove a database, after ending the connections to it.

    Raises CommandExecutionError with the server's message if it refuses.

    Example::

        salt-g postgres.db_remove shop
    """
    server = Server(user, host, port, maintenance_db, password, runas)
    for sql in (
        f"REVOKE CONNECT ON DATABASE {_sql.name(name)} FROM public",
        "SELECT pid, pg_terminate_backend(pid) FROM pg_stat_activity "
        f"WHERE datname = {_sql.value(name)} AND pid <> pg_backend_pid()",
        f"DROP DATABASE {_sql.name(name)}",
    ):
        finished = execute(server, sql)
        if finished["retcode"] != 0:
            raise CommandExecutionError(f"database {name!r} cannot be removed: {finished['stderr']}")
    return True


def owner_to(
    dbname: str,
    ownername: str,
    user: Given = None,
    host: Given = None,
    port: Port = None,
    password: Given = None,
    runas: Given = None,
) -> Completed:
    """Change the owner of a database and its schemas, tables, functions and sequences in one transaction.

    Returns the result of psql, as `cmd.run_all` does.

    Example::

        salt-g postgres.owner_to shop keeper
    """
    server = Server(user, host, port, dbname, password, runas)
    owner = _sql.name(ownername)
    statements = [f"ALTER DATABASE {_sql.name(dbname)} OWNER TO {owner}"]
    for kind, query in _CONTENTS:
        statements += [f"ALTER {kind} {row['n']} OWNER TO {owner}" for row in rows(server, query)]
    return execute_secret(server, statements)

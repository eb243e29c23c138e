"""Extensions of a database."""

from __future__ import annotations

import logging
import re

import salt_g.modules.postgres._sql as _sql
from salt_g.modules.postgres._psql import Given, Port, Server, execute, rows

log = logging.getLogger(__name__)

#: Results of `create_metadata`; stock's words, which states read.
NOT_INSTALLED = "EXTENSION NOT INSTALLED"
INSTALLED = "EXTENSION INSTALLED"
TO_UPGRADE = "EXTENSION TO UPGRADE"
TO_MOVE = "EXTENSION TO MOVE"


def available_extensions(
    user: Given = None,
    host: Given = None,
    port: Port = None,
    maintenance_db: Given = None,
    password: Given = None,
    runas: Given = None,
) -> dict[str, dict[str, str]]:
    """Return {name: {"name", "default_version", "comment"}} of the available extensions.

    Example::

        salt-g postgres.available_extensions
    """
    server = Server(user, host, port, maintenance_db, password, runas)
    return {row["name"]: row for row in rows(server, "SELECT * FROM pg_available_extensions()")}


def installed_extensions(
    user: Given = None,
    host: Given = None,
    port: Port = None,
    maintenance_db: Given = None,
    password: Given = None,
    runas: Given = None,
) -> dict[str, dict[str, str]]:
    """Return {name: its row of pg_extension and its "schema_name"} of the extensions in a database.

    Example::

        salt-g postgres.installed_extensions maintenance_db=shop
    """
    server = Server(user, host, port, maintenance_db, password, runas)
    query = (
        "SELECT e.*, n.nspname AS schema_name FROM pg_extension e, pg_namespace n"
        " WHERE e.extnamespace = n.oid"
    )
    return {row["extname"]: row for row in rows(server, query)}


def get_available_extension(
    name: str,
    user: Given = None,
    host: Given = None,
    port: Port = None,
    maintenance_db: Given = None,
    password: Given = None,
    runas: Given = None,
) -> dict[str, str] | None:
    """Return {"name", "default_version", "comment"} of an extension that can be installed, or None.

    Example::

        salt-g postgres.get_available_extension hstore
    """
    return available_extensions(user, host, port, maintenance_db, password, runas).get(name)


def get_installed_extension(
    name: str,
    user: Given = None,
    host: Given = None,
    port: Port = None,
    maintenance_db: Given = None,
    password: Given = None,
    runas: Given = None,
) -> dict[str, str] | None:
    """Return an extension's row of pg_extension and its "schema_name", or None if it is not installed.

    Example::

        salt-g postgres.get_installed_extension hstore maintenance_db=shop
    """
    return installed_extensions(user, host, port, maintenance_db, password, runas).get(name)


def is_available_extension(
    name: str,
    user: Given = None,
    host: Given = None,
    port: Port = None,
    maintenance_db: Given = None,
    password: Given = None,
    runas: Given = None,
) -> bool:
    """Return whether an extension can be installed.

    Example::

        salt-g postgres.is_available_extension hstore
    """
    known = available_extensions(user, host, port, maintenance_db, password, runas)
    return name.lower() in map(str.lower, known)


def is_installed_extension(
    name: str,
    user: Given = None,
    host: Given = None,
    port: Port = None,
    maintenance_db: Given = None,
    password: Given = None,
    runas: Given = None,
) -> bool:
    """Return whether a database has an extension.

    Example::

        salt-g postgres.is_installed_extension hstore maintenance_db=shop
    """
    return bool(get_installed_extension(name, user, host, port, maintenance_db, password, runas))


def create_metadata(
    name: str,
    ext_version: Given = None,
    schema: Given = None,
    user: Given = None,
    host: Given = None,
    port: Port = None,
    maintenance_db: Given = None,
    password: Given = None,
    runas: Given = None,
) -> list[str]:
    """Return the status of an extension: whether it is installed, and needs an upgrade or another schema.

    This is [`EXTENSION NOT INSTALLED`], or `EXTENSION INSTALLED` followed by `EXTENSION TO UPGRADE` and
    `EXTENSION TO MOVE` where needed to reach `ext_version` and `schema`.

    Example::

        salt-g postgres.create_metadata hstore maintenance_db=shop
    """
    installed = get_installed_extension(name, user, host, port, maintenance_db, password, runas)
    if not installed:
        return [NOT_INSTALLED]
    metadata = [INSTALLED]
    if ext_version is not None and _order(installed["extversion"]) < _order(_plain(ext_version)):
        metadata.append(TO_UPGRADE)
    if schema not in (None, installed["schema_name"]) and installed["extrelocatable"] == "t":
        metadata.append(TO_MOVE)
    return metadata


def create_extension(
    name: str,
    if_not_exists: bool | None = None,
    schema: Given = None,
    ext_version: Given = None,
    from_version: Given = None,
    user: Given = None,
    host: Given = None,
    port: Port = None,
    maintenance_db: Given = None,
    password: Given = None,
    runas: Given = None,
) -> bool:
    """Install, upgrade or move an extension; return whether it then has the wanted version and schema.

    Example::

        salt-g postgres.create_extension hstore maintenance_db=shop
    """
    server = Server(user, host, port, maintenance_db, password, runas)
    metadata = create_metadata(name, ext_version, schema, *server)
    if metadata == [NOT_INSTALLED]:
        may_exist = "" if if_not_exists is False else "IF NOT EXISTS "
        execute(
            server,
            f"CREATE EXTENSION {may_exist}{_sql.name(name)}" + _with(schema, ext_version, from_version),
        )
    changes = []
    if TO_MOVE in metadata:
        changes.append(f"ALTER EXTENSION {_sql.name(name)} SET SCHEMA {_sql.name(str(schema))}")
    if TO_UPGRADE in metadata:
        version = _sql.value(_plain(ext_version))
        changes.append(f"ALTER EXTENSION {_sql.name(name)} UPDATE TO {version}")
    if changes:
        execute(server, "; ".join(changes))
    return create_metadata(name, ext_version, schema, *server) == [INSTALLED]


def drop_extension(
    name: str,
    if_exists: bool | None = None,
    restrict: bool | None = None,
    cascade: bool | None = None,
    user: Given = None,
    host: Given = None,
    port: Port = None,
    maintenance_db: Given = None,
    password: Given = None,
    runas: Given = None,
) -> bool:
    """Remove an extension; return whether that succeeded.

    Objects that depend on it are removed too, unless `restrict` or `cascade=False`.

    Example::

        salt-g postgres.drop_extension hstore maintenance_db=shop
    """
    server = Server(user, host, port, maintenance_db, password, runas)
    if not is_installed_extension(name, *server):
        return True
    how = "RESTRICT" if restrict or cascade is False else "CASCADE"
    execute(server, f"DROP EXTENSION {'IF EXISTS ' if if_exists else ''}{_sql.name(name)} {how}")
    return not is_installed_extension(name, *server)


def _with(schema: Given, ext_version: Given, from_version: Given) -> str:
    clauses = [f"SCHEMA {_sql.name(schema)}"] if schema else []
    clauses += [f"VERSION {_sql.value(_plain(ext_version))}"] if ext_version else []
    clauses += [f"FROM {_sql.value(_plain(from_version))}"] if from_version else []
    return f" WITH {' '.join(clauses)}" if clauses else ""


def _plain(version: Given) -> str:
    """Return a version without the quotes that some servers require."""
    return str(version).strip("'\"")


def _order(version: str) -> list[tuple[int, int, str]]:
    """Return the sort key of a version: `1.10` after `1.9`."""
    parts = re.findall(r"\d+|[a-z]+", version.lower())
    return [(1, int(part), "") if part.isdigit() else (0, 0, part) for part in parts]

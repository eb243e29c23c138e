"""Procedural languages of a database."""

from __future__ import annotations

import logging

import salt_g.modules.postgres._sql as _sql
from salt_g.modules.postgres._psql import Given, Port, Server, rows, succeeds
from salt_g.modules.postgres.extensions import is_installed_extension

log = logging.getLogger(__name__)


def language_list(
    maintenance_db: str,
    user: Given = None,
    host: Given = None,
    port: Port = None,
    password: Given = None,
    runas: Given = None,
) -> dict[str, str]:
    """Return {name: name} of the languages of a database.

    Example::

        salt-g postgres.language_list shop
    """
    server = Server(user, host, port, maintenance_db, password, runas)
    names = (row["Name"] for row in rows(server, 'SELECT lanname AS "Name" FROM pg_language'))
    return {name: name for name in names}


def language_exists(
    name: str,
    maintenance_db: str,
    user: Given = None,
    host: Given = None,
    port: Port = None,
    password: Given = None,
    runas: Given = None,
) -> bool:
    """Return whether a database has a language.

    Example::

        salt-g postgres.language_exists plpgsql shop
    """
    return name in language_list(maintenance_db, user, host, port, password, runas)


def language_create(
    name: str,
    maintenance_db: str,
    user: Given = None,
    host: Given = None,
    port: Port = None,
    password: Given = None,
    runas: Given = None,
) -> bool:
    """Install a language into a database; return whether that succeeded.

    Example::

        salt-g postgres.language_create plperl shop
    """
    if language_exists(name, maintenance_db, user, host, port, password, runas):
        log.info("Language %s already exists in %s", name, maintenance_db)
        return False
    server = Server(user, host, port, maintenance_db, password, runas)
    return succeeds(server, f"CREATE LANGUAGE {_sql.name(name)}")


def language_remove(
    name: str,
    maintenance_db: str,
    user: Given = None,
    host: Given = None,
    port: Port = None,
    password: Given = None,
    runas: Given = None,
) -> bool:
    """Remove a language from a database; return whether that succeeded.

    Example::

        salt-g postgres.language_remove plperl shop
    """
    if not language_exists(name, maintenance_db, user, host, port, password, runas):
        log.info("Language %s does not exist in %s", name, maintenance_db)
        return False
    server = Server(user, host, port, maintenance_db, password, runas)
    # CREATE LANGUAGE installs the extension of that name, which then holds on to the language.
    kind = "EXTENSION" if is_installed_extension(name, *server) else "LANGUAGE"
    return succeeds(server, f"DROP {kind} {_sql.name(name)}")

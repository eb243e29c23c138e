"""Arbitrary queries, and the version of the server."""

from __future__ import annotations

from salt_g.modules.postgres._psql import Given, Port, Server, rows


def version(
    user: Given = None,
    host: Given = None,
    port: Port = None,
    maintenance_db: Given = None,
    password: Given = None,
    runas: Given = None,
) -> str | None:
    """Return the version of the server, or '' when it does not answer.

    Example::

        salt-g postgres.version
    """
    server = Server(user, host, port, maintenance_db, password, runas)
    found = rows(server, "SELECT setting FROM pg_catalog.pg_settings WHERE name = 'server_version'")
    return found[0]["setting"] if found else ""


def psql_query(
    query: str,
    user: Given = None,
    host: Given = None,
    port: Port = None,
    maintenance_db: Given = None,
    password: Given = None,
    runas: Given = None,
    write: bool = False,
) -> list[dict[str, str]]:
    """Return the rows of a query, each as {column: text}; [] when the server refuses it.

    `write` allows the query to change data (`INSERT … RETURNING`).

    Example::

        salt-g postgres.psql_query "SELECT 1 AS one"
    """
    return rows(Server(user, host, port, maintenance_db, password, runas), query, write=write)


def major(server: Server) -> tuple[int, ...]:
    """Return the numbers of the server's version, or () if it does not respond."""
    found = version(*server) or ""
    words = found.split()[0].split(".") if found else []
    return tuple(int(word) for word in words if word.isdigit())

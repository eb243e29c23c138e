"""Connections to PostgreSQL servers from connection settings.

Shapes: settings are {host, port, db, user, pass, connect_timeout, ssl...: value}.
Units: seconds.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

#: Default connection settings, as in stock.
DEFAULTS: Mapping[str, Any] = {
    "host": "localhost",
    "port": 5432,
    "db": "salt",
    "user": "salt",
    "pass": "salt",
    "connect_timeout": 10,
}


def connect(settings: Mapping[str, Any], **options: Any) -> Any:
    """Return a psycopg connection; `options` are passed to psycopg, whose errors are raised."""
    import psycopg

    # Stock's documentation shows `None` for unused options, which YAML reads as text.
    tls = {
        name: value
        for name, value in settings.items()
        if name.startswith("ssl") and value not in (None, "None")
    }
    return psycopg.connect(
        host=settings["host"], port=int(settings["port"]), dbname=settings["db"],
        user=settings["user"], password=settings["pass"],
        connect_timeout=int(settings["connect_timeout"]), **tls, **options,
    )  # fmt: skip


def address(settings: Mapping[str, Any]) -> str:
    """Return the server and database of connection settings, for an error message."""
    return f"{settings['host']} port {settings['port']}, database {settings['db']!r}"

"""External pillar `postgres`: rows of a PostgreSQL database.

    postgres:
      host: localhost
      user: salt
      pass: super_secret_password
      db: salt_db

    ext_pillar:
      - postgres:
          fromdb:
            query: 'SELECT col1, col2, col3 FROM some_random_table WHERE minion_pattern LIKE %s'
            depth: 2
            as_list: True
            with_lists: [1]

What a query may have is in `_rows.py`. Each gets the minion's id for its `%s`.
Errors: a server or query that fails is an error of the pillar, which nobody then gets without it.
"""

from __future__ import annotations

from typing import Any

from salt_g import api
from salt_g.errors import CommandExecutionError
from salt_g.pillar.sources._rows import add_rows, queries

_DEFAULTS: dict[str, Any] = {"host": "localhost", "user": "salt", "pass": "salt", "db": "salt", "port": 5432}
#: How long the server has to take a connection (s).
_TIMEOUT = 10


def postgres(minion_id: str, pillar: dict[str, Any], *args: Any, **kwargs: Any) -> dict[str, Any]:
    """Return what the queries say of a minion."""
    try:
        import psycopg
    except ImportError as exc:
        raise CommandExecutionError("the library psycopg is missing: install salt-g[postgres]") from exc
    wanted = queries(args, kwargs)
    chosen = {**_DEFAULTS, **(api.current().opts.get("postgres") or {})}
    found: dict[str, Any] = {}
    try:
        with psycopg.connect(
            host=chosen["host"],
            user=chosen["user"],
            password=chosen["pass"],
            dbname=chosen["db"],
            port=int(chosen["port"]),
            connect_timeout=_TIMEOUT,
            # The id becomes a literal, so that it may stand where a parameter's type would not be known.
            cursor_factory=psycopg.ClientCursor,
        ) as connection:
            for query in wanted:
                cursor = connection.execute(query.query, (minion_id,))
                add_rows(found, query, [column.name for column in cursor.description or ()], cursor)
    except psycopg.Error as exc:
        where = f"{chosen['host']} port {chosen['port']}, database {chosen['db']!r}"
        raise CommandExecutionError(f"{where}: {' '.join(str(exc).split())}") from exc
    return found

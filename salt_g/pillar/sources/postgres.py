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

The options of a query are described in `_rows.py`. `%s` is replaced by the minion's id.
Errors: a failing server or query is an error of the pillar, so that no minion receives an incomplete one.
"""

from __future__ import annotations

from typing import Any

from salt_g import api
from salt_g.errors import CommandExecutionError
from salt_g.pillar.sources._rows import add_rows, queries

_DEFAULTS: dict[str, Any] = {"host": "localhost", "user": "salt", "pass": "salt", "db": "salt", "port": 5432}
#: Connection timeout of the server (s).
_TIMEOUT = 10


def postgres(minion_id: str, pillar: dict[str, Any], *args: Any, **kwargs: Any) -> dict[str, Any]:
    """Return the pillar of a minion from the queries."""
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
            # The id becomes a literal, to be valid where a parameter's type would be unknown.
            cursor_factory=psycopg.ClientCursor,
        ) as connection:
            for query in wanted:
                cursor = connection.execute(query.query, (minion_id,))
                add_rows(found, query, [column.name for column in cursor.description or ()], cursor)
    except psycopg.Error as exc:
        where = f"{chosen['host']} port {chosen['port']}, database {chosen['db']!r}"
        raise CommandExecutionError(f"{where}: {' '.join(str(exc).split())}") from exc
    return found

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
from salt_g.net import postgres as server
from salt_g.pillar.sources._rows import add_rows, queries
from salt_g.shapes import PillarDict


def postgres(minion_id: str, pillar: PillarDict, *args: Any, **kwargs: Any) -> PillarDict:
    """Return the pillar of a minion from the queries."""
    try:
        import psycopg
    except ImportError as exc:
        raise CommandExecutionError("the library psycopg is missing: install salt-g[postgres]") from exc
    wanted = queries(args, kwargs)
    chosen = {**server.DEFAULTS, **(api.current().opts.get("postgres") or {})}
    found: PillarDict = {}
    try:
        # Pass the id as a literal, which is valid also where the type of a parameter would be unknown.
        with server.connect(chosen, cursor_factory=psycopg.ClientCursor) as connection:
            for query in wanted:
                cursor = connection.execute(query.query, (minion_id,))
                add_rows(found, query, [column.name for column in cursor.description or ()], cursor)
    except psycopg.Error as exc:
        raise CommandExecutionError(f"{server.address(chosen)}: {' '.join(str(exc).split())}") from exc
    return found

"""Jobs, returns and events in stock's tables of a PostgreSQL database.

`postgres` stores JSON as text and `pgjsonb` as `jsonb`; connection and queries are the same.
`postgres_local_cache` has other tables for jobs and returns.
Errors: CommandExecutionError when the server cannot be reached.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from salt_g.api import opts
from salt_g.errors import CommandExecutionError
from salt_g.net import postgres
from salt_g.returners._options import listed, options
from salt_g.shapes.loads import EventData, JobLoad, ReturnLoad, is_job


class Server(NamedTuple):
    """Database of a returner.

    `settings` is the prefix of the options, `defaults` has all options with their defaults, `password` is the
    name of the option for the password.
    """

    name: str
    settings: str
    defaults: Mapping[str, Any]
    password: str

    @contextlib.contextmanager
    def cursor(self, ret: Any = None) -> Iterator[Any]:
        """Yield a cursor in a transaction, committed at the end of the block or rolled back on an error."""
        with self._connected(ret) as connection, connection.cursor() as cursor:
            yield cursor

    def rows(self, sql: str, *values: Any) -> list[Any]:
        """Return all rows of a query."""
        with self.cursor() as cursor:
            cursor.execute(sql, values)
            return list(cursor.fetchall())

    def save_events(
        self, events: list[EventData], *, encode: Callable[[Any], str], column: str = "text"
    ) -> None:
        """Insert events, with their data as JSON in a column of the type `column`."""
        rows = [(event.get("tag", ""), encode(event.get("data", "")), opts["id"]) for event in events]
        with self.cursor() as cursor:
            cursor.executemany(
                f"INSERT INTO salt_events (tag, data, master_id) VALUES (%s, %s::{column}, %s)", rows
            )

    def _connected(self, ret: Any) -> Any:
        import psycopg

        chosen = options(self.settings, ret, self.defaults)
        settings = {**chosen, "pass": chosen[self.password]}
        try:
            return postgres.connect(settings)
        except psycopg.OperationalError as exc:
            raise CommandExecutionError(
                f"{self.name}: no connection to {postgres.address(settings)}: {' '.join(str(exc).split())}"
            ) from exc


class Tables(NamedTuple):
    """Tables of jobs and returns that one returner uses.

    `column` is the type of the columns with JSON; `encode` and `decode` convert a value of such a column.
    """

    server: Server
    column: str
    encode: Callable[[Any], str]
    decode: Callable[[Any], Any]

    def save_return(self, ret: ReturnLoad) -> None:
        """Insert a return."""
        fun = ret["fun"] if isinstance(ret["fun"], str) else ",".join(ret["fun"])
        value, whole = self.encode(ret["return"]), self.encode(ret)
        with self.server.cursor(ret) as cursor:
            cursor.execute(
                "INSERT INTO salt_returns (fun, jid, return, id, success, full_ret)"
                f" VALUES (%s, %s, %s::{self.column}, %s, %s, %s::{self.column})",
                (fun, ret["jid"], value, ret["id"], str(ret.get("success", False)), whole),
            )

    def save_events(self, events: list[EventData]) -> None:
        """Insert events."""
        self.server.save_events(events, encode=self.encode, column=self.column)

    def save_load(self, jid: str, load: JobLoad, *, on_conflict: str) -> None:
        """Insert the load of a job; `on_conflict` is the SQL clause for a jid that already exists."""
        with self.server.cursor() as cursor:
            cursor.execute(
                f"INSERT INTO jids (jid, load) VALUES (%s, %s::{self.column}) ON CONFLICT {on_conflict}",
                (jid, self.encode(load)),
            )

    def load(self, jid: str) -> JobLoad:
        """Return the load of a job, or {} for an unknown one."""
        rows = self.server.rows("SELECT load FROM jids WHERE jid = %s", jid)
        load = self.decode(rows[0][0]) if rows else None
        return load if is_job(load) else {}

    def returns(self, jid: str) -> dict[str, Any]:
        """Return the returns of a job, by minion."""
        rows = self.server.rows("SELECT id, full_ret FROM salt_returns WHERE jid = %s", jid)
        return {minion: self.decode(ret) for minion, ret in rows}

    def last_returns(self, fun: str, *, newest: str) -> dict[str, Any]:
        """Return the last return of a function, by minion; `newest` is the column to order returns by."""
        rows = self.server.rows(
            "SELECT DISTINCT ON (id) id, full_ret FROM salt_returns WHERE fun = %s"
            f" ORDER BY id, {newest} DESC",
            fun,
        )
        return {minion: self.decode(ret) for minion, ret in rows}

    def jobs(self) -> dict[str, Any]:
        """Return all jobs in the format of job lists."""
        rows = self.server.rows("SELECT jid, load FROM jids")
        return {jid: listed(jid, self.decode(load)) for jid, load in rows}

    def minions(self) -> list[str]:
        """Return the minions that have returned at least once."""
        return [minion for (minion,) in self.server.rows("SELECT DISTINCT id FROM salt_returns ORDER BY id")]

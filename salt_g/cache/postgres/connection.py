"""Connection to PostgreSQL with the interface that operations and readers of the store use.

Statements have `?` for values, as in SQLite. Each statement has a time limit on the client side, because the
limits of a server whose machine hangs never expire.
Units: seconds.
Errors: psycopg.Error; OperationalError when there is no answer in time.
"""

from __future__ import annotations

import functools
import select
import sys
import time
from collections.abc import Iterable, Sequence
from typing import Any

import psycopg
import psycopg.conninfo
from psycopg import pq
from psycopg.waiting import Ready, Wait

#: Time limits for connecting, for a reading statement, and for a writing one (s).
CONNECT, READ, WRITE = 5, 10.0, 15.0
#: Time after which the server ends a transaction in which nothing happens (s), shorter than WRITE.
HUNG = 10.0
#: Default parameters of each connection, with which a peer that vanished is noticed.
_OPTIONS = {
    "connect_timeout": CONNECT,
    "application_name": "salt-g",
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 3,
}
#: The same settings for the server: until the server notices that a master vanished, no master can take the
#: vanished one's place in the cluster, not even that master itself after a restart. Ignored for UNIX sockets.
_AT_SERVER = (
    "SET tcp_keepalives_idle = 10; SET tcp_keepalives_interval = 5; SET tcp_keepalives_count = 3;"
    " SET tcp_user_timeout = 25000;"
    # The rows of a master that hangs in a transaction are locked, and the others wait for them.
    f" SET idle_in_transaction_session_timeout = '{HUNG:g}s'"
)
#: Oldest supported server version, as numbered by the library.
OLDEST = 140000
#: {what the library waits for: events of `poll`}
_EVENTS = {
    Wait.R: select.POLLIN,
    Wait.W: select.POLLOUT,
    Wait.RW: select.POLLIN | select.POLLOUT,
}


class PostgresConnection(psycopg.Connection[Any]):  # type: ignore[misc,unused-ignore]
    """Connection in which each statement is its own transaction, unless `BEGIN` was executed."""

    #: Time limit for each statement (s).
    limit = READ
    #: Whether a native thread, which must not wait on a hub, uses the connection.
    of_thread = False

    @property
    def in_transaction(self) -> bool:
        """Whether a transaction is open."""
        return self.pgconn.transaction_status not in (pq.TransactionStatus.IDLE, pq.TransactionStatus.UNKNOWN)

    def is_usable(self) -> bool:
        """Return whether an idle connection is open; readable data means that the server has closed it."""
        if self.closed:
            return False
        poll = _poll(of_thread=True)
        poll.register(self.pgconn.socket, select.POLLIN)
        return not poll.poll(0)

    def execute(  # type: ignore[override,unused-ignore]
        self, sql: Any, parameters: Sequence[Any] = (), /, **options: Any
    ) -> Any:
        """Execute one statement with `?` for each value, or a script without values."""
        if not parameters:
            return super().execute(sql, **options)
        # Binary format, because as text a value of 30 KB would take nine times as long.
        return super().execute(translated(sql), parameters, binary=True, **options)

    def executemany(self, sql: str, parameters: Iterable[Sequence[Any]], /) -> None:
        """Execute one statement for each sequence of values."""
        with self.cursor() as cursor:
            cursor.executemany(translated(sql), parameters)

    def wait(self, gen: Any, *_: Any, **__: Any) -> Any:
        """Run a generator of psycopg to its end; raise OperationalError after the time limit."""
        deadline = time.monotonic() + self.limit
        poll, descriptor = _poll(self.of_thread), self.pgconn.socket
        try:
            wanted = next(gen)
            while True:
                poll.register(descriptor, _EVENTS[wanted])
                left = deadline - time.monotonic()
                found = poll.poll(max(left, 0) * 1000)
                if not found:
                    # The server may still be executing the statement, so the connection cannot be used any
                    # more.
                    self.close()
                    raise psycopg.OperationalError(f"no answer within {self.limit:g} s")
                wanted = gen.send(_ready(found[0][1]))
        except StopIteration as end:
            return end.value


def _ready(events: int) -> Any:
    """Convert events of `poll` to psycopg's ready state; an error counts as readable and writable."""
    if events & ~(select.POLLIN | select.POLLOUT):
        return Ready.RW
    if events & select.POLLIN:
        return Ready.RW if events & select.POLLOUT else Ready.R
    return Ready.W


@functools.lru_cache(maxsize=256)
def translated(sql: str) -> str:
    """Replace the placeholders `?` in a statement (none in literals) by those of psycopg."""
    return sql.replace("%", "%%").replace("?", "%s")


def connect(url: str, *, limit: float, of_thread: bool) -> PostgresConnection:
    """Return a connection with the time limit `limit` for each statement; raise psycopg.Error on failure.

    The error is NotSupportedError if the server is too old.
    Must be called in a native thread, because the library resolves names without letting greenlets run.
    `of_thread` means that the connection stays in that thread.
    """
    given = psycopg.conninfo.conninfo_to_dict(url)
    options: dict[str, Any] = {name: value for name, value in _OPTIONS.items() if name not in given}
    connection = PostgresConnection.connect(url, autocommit=True, **options)
    connection.limit, connection.of_thread = limit, True
    try:
        _check_release(connection)
        connection.execute(_AT_SERVER)
    except BaseException:
        connection.close()
        raise
    connection.of_thread = of_thread
    return connection


def _check_release(connection: PostgresConnection) -> None:
    """Raise NotSupportedError if the server's release is too old."""
    number = connection.info.server_version
    if number < OLDEST:
        release = f"{number // 10000}.{number % 10000}"
        raise psycopg.NotSupportedError(f"PostgreSQL {release}; salt-g needs {OLDEST // 10000} or newer")


def _poll(of_thread: bool) -> Any:
    """Return a `poll` object: gevent's for greenlets, the original one in a native thread without a hub."""
    monkey = sys.modules.get("gevent.monkey") if of_thread else None
    return monkey.get_original("select", "poll")() if monkey is not None else select.poll()

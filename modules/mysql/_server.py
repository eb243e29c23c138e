"""Connections to a MySQL or MariaDB server through PyMySQL.

Every refusal is logged and kept in the call's scratch dict for the calling state, and the function returns
the value that stock's returns. PyMySQL comes with the extra `salt-g[mysql]` and is imported lazily.

Errors: ServerRefused inside the package; `or_else` keeps it from users.
"""

from __future__ import annotations

import contextlib
import difflib
import functools
import logging
import os
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple, ParamSpec, TypeVar

from salt_g.api import call, own_arguments, scratch
from salt_g.process.redaction import RedactedOutput

log = logging.getLogger(__name__)

P = ParamSpec("P")
T = TypeVar("T")

#: Last error of the server or the library, for the calling state.
ERROR = "mysql.error"
#: PyMySQL's names for our `connection_*` arguments and the settings `mysql.*`.
_NAMES = {
    "host": "host",
    "user": "user",
    "pass": "password",
    "port": "port",
    "db": "database",
    "unix_socket": "unix_socket",
    "default_file": "read_default_file",
    "default_group": "read_default_group",
    "charset": "charset",
}
#: Default sockets of local servers.
_SOCKETS = ("/run/mysqld/mysqld.sock", "/var/lib/mysql/mysql.sock")
_IDENTIFIER_OF_GRANTS = str.maketrans({"_": "\\_"})


class ServerRefused(Exception):
    """Error of the server or the connection; the text is for the user and holds no password."""


class Answer(NamedTuple):
    """Result of a statement: rows of texts and numbers, column names, number of affected rows."""

    rows: list[tuple[Any, ...]]
    columns: tuple[str, ...]
    touched: int

    def dicts(self) -> list[dict[str, Any]]:
        """Return the rows as dicts by column name."""
        return [dict(zip(self.columns, row, strict=True)) for row in self.rows]


class Version(NamedTuple):
    """Kind of server, and its version as numbers."""

    is_mariadb: bool
    numbers: tuple[int, ...]


def or_else(answer: Callable[[], Any]) -> Callable[[Callable[P, T]], Callable[P, T]]:
    """Decorate a function so that it returns `answer()` if the server refuses."""

    def decorate(function: Callable[P, T]) -> Callable[P, T]:
        @functools.wraps(function)
        def guarded(*args: P.args, **kwargs: P.kwargs) -> T:
            try:
                return function(*args, **kwargs)
            except ServerRefused as exc:
                note(str(exc))
                return answer()  # type: ignore[no-any-return]

        return guarded

    return decorate


def note(problem: str) -> None:
    """Log a problem and keep it for the calling state."""
    log.error("%s", RedactedOutput(problem))
    scratch[ERROR] = problem


def ask(connection_args: Mapping[str, Any], sql: str, values: Mapping[str, Any] | None = None) -> Answer:
    """Run one statement; `%(name)s` in it is a value, `%%` a percent sign."""
    with connected(connection_args) as server:
        return execute(server, sql, values or {})


def execute(server: Any, sql: str, values: Mapping[str, Any] | None) -> Answer:
    """Run one statement on an open connection; with `values` None percent signs are literal."""
    import pymysql

    try:
        with server.cursor() as cursor:
            count = cursor.execute(sql, values)
            columns = tuple(column[0] for column in cursor.description or ())
            return Answer(list(cursor.fetchall()), columns, count)
    except pymysql.err.MySQLError as exc:
        raise ServerRefused(_described(exc)) from exc


@contextlib.contextmanager
def connected(connection_args: Mapping[str, Any], **further: Any) -> Iterator[Any]:
    """Open a connection for the duration of the block; each statement is committed at once."""
    import pymysql

    try:
        server = pymysql.connect(**_address(connection_args), autocommit=True, **further)
    except (pymysql.err.MySQLError, OSError) as exc:
        raise ServerRefused(_described(exc)) from exc
    try:
        yield server
    finally:
        server.close()


def version_of(connection_args: Mapping[str, Any]) -> Version:
    """Return the kind and version of a server."""
    text = str(ask(connection_args, "SELECT VERSION()").rows[0][0])
    # Some MariaDB servers prefix 5.5.5- for old clients.
    found = re.match(r"(?:5\.5\.5-)?(\d+(?:\.\d+)*)", text)
    numbers = tuple(int(part) for part in found.group(1).split(".")) if found else ()
    return Version("MariaDB" in text, numbers)


def identifier(name: str, for_grants: bool = False) -> str:
    """Return a name in backticks for a statement with values; with `for_grants` `_` is not a wildcard."""
    quoted = name.replace("`", "``")
    if for_grants:
        quoted = quoted.translate(_IDENTIFIER_OF_GRANTS)
    return "`" + quoted.replace("%", "%%") + "`"


def _address(connection_args: Mapping[str, Any]) -> dict[str, Any]:
    """Return the connection arguments for PyMySQL: the given ones, completed from the settings `mysql.*`.

    With an options file the settings are ignored. A local server is reached by its socket, over which it can
    authenticate the system user, unless a port or an options file is given.
    """
    given = own_arguments(connection_args)
    _warn_of_unknown(given)
    from_settings = "connection_default_file" not in given
    found: dict[str, Any] = {}
    for name, theirs in _NAMES.items():
        value = given.get(f"connection_{name}")
        if value is None and from_settings:
            value = call("config.option", f"mysql.{name}", None)
        if value:
            found[theirs] = value
    if found.get("host", "localhost") == "localhost" and not {"port", "read_default_file"} & set(found):
        found.setdefault("unix_socket", next(filter(os.path.exists, _SOCKETS), None))
    if found.get("unix_socket"):
        # Local connections are not encrypted; loading all CA certificates takes longer than the rest.
        found["ssl_disabled"] = True
    if "port" in found:
        found["port"] = int(found["port"])
    if "password" in found:
        found["password"] = str(found["password"])
    return {**found, "client_flag": _flags(given.get("client_flags") or [])}


def _flags(names: list[str]) -> int:
    from pymysql.constants import CLIENT

    total = 0
    for name in names:
        flag = getattr(CLIENT, str(name).upper(), None)
        if isinstance(flag, int):
            total |= flag
        else:
            log.error("MySQL client flag %s not valid, ignoring.", name)
    return total


def _warn_of_unknown(given: Mapping[str, Any]) -> None:
    known = {*(f"connection_{name}" for name in _NAMES), "connection_conv", "client_flags"}
    for name in given:
        if name not in known:
            near = difflib.get_close_matches(name, known, 1)
            log.warning("mysql: argument %r is not known%s", name, f"; nearest: {near[0]!r}" if near else "")


def _described(exc: Exception) -> str:
    number, *text = exc.args or ("", str(exc))
    return f"MySQL Error {number}: {text[0]}" if text else f"MySQL Error: {number}"

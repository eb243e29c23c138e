"""Privileges of users on databases and tables."""

from __future__ import annotations

import logging
from typing import Any

import salt_g.modules.mysql._grants as _grants
from salt_g.errors import InvocationError
from salt_g.modules.mysql._server import ask, identifier, note, or_else, version_of

log = logging.getLogger(__name__)

#: Privileges that MySQL 8 excludes from ALL.
_NOT_AMONG_ALL = ("USAGE", "GRANT OPTION", "PROXY")
_FIRST_MYSQL_WITHOUT_ALL = (8, 0)


def quote_identifier(identifier: str, for_grants: bool = False) -> str:
    """Return a name in backticks with `%` doubled; `for_grants` escapes `_`, which is a wildcard in grants.

    Example::

        salt-g mysql.quote_identifier 'odd`name'
    """
    return _quoted(identifier, for_grants)


def tokenize_grant(grant: str) -> dict[str, Any]:
    """Return {"user", "host", "grant": [privilege, ...], "database"} of a GRANT statement.

    Example::

        salt-g mysql.tokenize_grant "GRANT SELECT, INSERT ON shop.* TO 'reader'@'localhost'"
    """
    found = _grants.parse(grant)
    if found is None:
        return {"user": "", "host": "", "grant": [], "database": ""}
    privileges = list(found.privileges)
    return {"user": found.user, "host": found.host, "grant": privileges, "database": found.on}


@or_else(bool)
def user_grants(user: str, host: str = "localhost", **connection_args: Any) -> list[str] | bool:
    """Return the GRANT statements of a user, without passwords; False if there is no such user.

    Example::

        salt-g mysql.user_grants reader localhost
    """
    return _lines(user, host, connection_args)


@or_else(bool)
def grant_exists(
    grant: str,
    database: str,
    user: str,
    host: str = "localhost",
    grant_option: bool = False,
    escape: bool = True,
    **connection_args: Any,
) -> bool:
    """Return whether a user has privileges (`SELECT,INSERT`) on a database (`shop.*`) or table.

    `grant_option` also requires the right to grant them to others. With `escape=False`, `database` is quoted
    already.

    Example::

        salt-g mysql.grant_exists SELECT 'shop.*' reader localhost
    """
    server = version_of(connection_args)
    wanted = _grants.tokens(grant)
    lines = _lines(user, host, connection_args)
    if lines is False:
        return False
    assert isinstance(lines, list)
    where = _grants.place(database, escape=escape)
    is_splitting = not server.is_mariadb and server.numbers >= _FIRST_MYSQL_WITHOUT_ALL
    if wanted == ["ALL PRIVILEGES"] and is_splitting and database == "*.*":
        wanted = _all_privileges(connection_args)
    return _grants.covers(lines, wanted, where, server, grant_option=bool(grant_option))


@or_else(bool)
def grant_add(
    grant: str,
    database: str,
    user: str,
    host: str = "localhost",
    grant_option: bool = False,
    escape: bool = True,
    ssl_option: Any = False,
    **connection_args: Any,
) -> bool:
    """Grant privileges to a user; return whether the user has them afterwards.

    `grant_option` also allows the user to grant them to others. With `escape=False`, `database` is quoted
    already. `ssl_option` is a list like `[{'SSL': True}]` or `[{'ISSUER': '/CN=x'}]`.

    Example::

        salt-g mysql.grant_add SELECT,INSERT 'shop.*' reader localhost
    """
    try:
        sql = (
            f"GRANT {_grants.checked(grant)} ON {_grants.place(database, escape=escape)} TO %(user)s@%(host)s"
        )
        sql += _grants.requirement(ssl_option)
    except InvocationError as exc:
        note(str(exc))
        return False
    sql += " WITH GRANT OPTION" if grant_option else ""
    ask(connection_args, sql, {"user": user, "host": host})
    return grant_exists(grant, database, user, host, grant_option, escape, **connection_args)


@or_else(bool)
def grant_revoke(
    grant: str,
    database: str,
    user: str,
    host: str = "localhost",
    grant_option: bool = False,
    escape: bool = True,
    **connection_args: Any,
) -> bool:
    """Revoke privileges from a user; return whether that succeeded.

    `grant_option` also revokes the right to grant them to others. With `escape=False`, `database` is quoted
    already.

    Example::

        salt-g mysql.grant_revoke SELECT 'shop.*' reader localhost
    """
    try:
        what = _grants.checked(grant)
    except InvocationError as exc:
        note(str(exc))
        return False
    where = _grants.place(database, escape=escape)
    values = {"user": user, "host": host}
    ask(connection_args, f"REVOKE {what} ON {where} FROM %(user)s@%(host)s", values)
    if grant_option:
        ask(connection_args, f"REVOKE GRANT OPTION ON {where} FROM %(user)s@%(host)s", values)
    return not grant_exists(grant, database, user, host, False, escape, **connection_args)


def _quoted(name: str, for_grants: bool) -> str:
    return identifier(name, for_grants)


def _lines(user: str, host: str, connection_args: dict[str, Any]) -> list[str] | bool:
    values = {"user": user, "host": host}
    known = "SELECT 1 FROM mysql.user WHERE User = %(user)s AND Host = %(host)s"
    if not ask(connection_args, known, values).rows:
        log.info("User '%s'@'%s' does not exist", user, host)
        return False
    rows = ask(connection_args, "SHOW GRANTS FOR %(user)s@%(host)s", values).rows
    return [_without_password(row[0]) for row in rows]


def _without_password(line: str) -> str:
    shown = line.split(" IDENTIFIED ")[0]
    passed_on = " WITH GRANT OPTION"
    return shown + passed_on if passed_on in line and passed_on not in shown else shown


def _all_privileges(connection_args: dict[str, Any]) -> list[str]:
    names = (str(row[0]).strip().upper() for row in ask(connection_args, "SHOW PRIVILEGES").rows)
    return [name for name in names if name not in _NOT_AMONG_ALL]

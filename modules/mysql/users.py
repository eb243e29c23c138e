"""Users: their hosts, passwords and authentication."""

from __future__ import annotations

import logging
from typing import Any

import salt_g.modules.mysql._accounts as _accounts
from salt_g.modules.mysql._accounts import Login
from salt_g.modules.mysql._server import ServerRefused, Version, ask, note, or_else, version_of
from salt_g.modules.mysql.plugins import plugin_status

log = logging.getLogger(__name__)

_PASSWORD_NEEDED = "password or password_hash must be specified, unless allow_passwordless=True"


@or_else(list)
def user_list(**connection_args: Any) -> list[dict[str, str]]:
    """Return {"User", "Host"} of each user.

    Example::

        salt-g mysql.user_list
    """
    return ask(connection_args, "SELECT User, Host FROM mysql.user").dicts()


@or_else(bool)
def user_info(user: str, host: str = "localhost", **connection_args: Any) -> dict[str, Any] | None:
    """Return the user's row of the table `mysql.user`, or None if the user does not exist.

    Example::

        salt-g mysql.user_info shop
    """
    query = "SELECT * FROM mysql.user WHERE User = %(user)s AND Host = %(host)s"
    found = ask(connection_args, query, {"user": user, "host": host}).dicts()
    return found[0] if found else None


@or_else(bool)
def user_exists(
    user: str,
    host: str = "localhost",
    password: str | None = None,
    password_hash: str | None = None,
    passwordless: bool = False,
    unix_socket: bool = False,
    password_column: str | None = None,
    **connection_args: Any,
) -> bool:
    """Return whether a user exists, with this password if one is given.

    `passwordless` asks for a user without a password, with `unix_socket` for one with socket authentication.
    `password_column` is the column of digests in the table `mysql.user` (None: found automatically).

    Example::

        salt-g mysql.user_exists shop localhost
    """
    server, args = _connect_as(password, connection_args)
    plugin = _plugin_of(user, host, args)
    login = Login(user, host, password, password_hash, unix_socket, plugin)
    column = password_column or _digest_column(args)
    sql, values = _accounts.find(server, login, column, passwordless=passwordless)
    return len(ask(args, sql, values).rows) == 1


@or_else(bool)
def user_create(
    user: str,
    host: str = "localhost",
    password: str | None = None,
    password_hash: str | None = None,
    allow_passwordless: bool = False,
    unix_socket: bool = False,
    password_column: str | None = None,
    auth_plugin: str = "mysql_native_password",
    **connection_args: Any,
) -> bool:
    """Create a user; return whether it was created, False if it exists already.

    With `unix_socket` the system user of the same name needs no password.

    Example::

        salt-g mysql.user_create shop localhost secret
    """
    server, args = _connect_as(password, connection_args)
    login = Login(user, host, password, password_hash, unix_socket, auth_plugin)
    if _is_known(login, args):
        log.info("User '%s'@'%s' already exists", user, host)
        return False
    problem = _problem(server, login, allow_passwordless, args)
    if problem:
        note(problem)
        return False
    ask(args, *_accounts.create(server, login))
    return _is_known(login, args)


@or_else(bool)
def user_chpass(
    user: str,
    host: str = "localhost",
    password: str | None = None,
    password_hash: str | None = None,
    allow_passwordless: bool = False,
    unix_socket: bool | None = None,
    password_column: str | None = None,
    **connection_args: Any,
) -> bool:
    """Change the password of a user; return whether that succeeded.

    `allow_passwordless` without a password removes the user's password; with `unix_socket` as well, the user
    is authenticated by the socket.

    Example::

        salt-g mysql.user_chpass shop localhost secret
    """
    server, args = _connect_as(password, connection_args)
    by_socket = bool(unix_socket and allow_passwordless)
    login = Login(user, host, password, password_hash, by_socket, _plugin_of(user, host, args))
    if not _is_known(login, args):
        log.info("User '%s'@'%s' does not exist", user, host)
        return False
    problem = _problem(server, login, allow_passwordless, args)
    if problem:
        note(problem)
        return False
    ask(args, *_accounts.change(server, login))
    return True


@or_else(bool)
def user_remove(user: str, host: str = "localhost", **connection_args: Any) -> bool:
    """Remove a user; return whether that succeeded.

    Example::

        salt-g mysql.user_remove shop localhost
    """
    login = Login(user, host)
    if not _is_known(login, connection_args):
        note(f"User '{user}'@'{host}' does not exist")
        return False
    ask(connection_args, "DROP USER %(user)s@%(host)s", login.values)
    return not _is_known(login, connection_args)


def verify_login(user: str, password: str | None = None, **connection_args: Any) -> bool:
    """Return whether a user can log in with a password.

    Example::

        salt-g mysql.verify_login shop secret
    """
    try:
        version_of({**connection_args, "connection_user": user, "connection_pass": password})
    except ServerRefused:
        return False
    return True


def _connect_as(password: str | None, connection_args: dict[str, Any]) -> tuple[Version, dict[str, Any]]:
    """Return the version of the server and the arguments to connect to it.

    If the connection is refused, the given password is tried: users can manage their own account.
    """
    try:
        return version_of(connection_args), connection_args
    except ServerRefused:
        if not password:
            raise
    again = {**connection_args, "connection_pass": password}
    return version_of(again), again


def _is_known(login: Login, connection_args: dict[str, Any]) -> bool:
    query = "SELECT 1 FROM mysql.user WHERE User = %(user)s AND Host = %(host)s"
    return bool(ask(connection_args, query, login.values).rows)


def _plugin_of(user: str, host: str, connection_args: dict[str, Any]) -> str:
    query = "SELECT plugin FROM mysql.user WHERE User = %(user)s AND Host = %(host)s"
    found = ask(connection_args, query, {"user": user, "host": host}).rows
    return str(found[0][0] or "mysql_native_password") if found else "mysql_native_password"


def _digest_column(connection_args: dict[str, Any]) -> str:
    query = (
        "SELECT 1 FROM information_schema.COLUMNS WHERE table_schema = 'mysql'"
        " AND table_name = 'user' AND column_name = 'Password'"
    )
    return "Password" if ask(connection_args, query).rows else "authentication_string"


def _problem(
    server: Version, login: Login, allow_passwordless: bool, connection_args: dict[str, Any]
) -> str | None:
    """Return the reason why a user cannot have these credentials, or None if it can."""
    if login.unix_socket:
        plugin = _accounts.socket_plugin(server)
        if login.host != "localhost":
            return "Auth via unix_socket can be set only for host=localhost"
        is_on = plugin_status(plugin, **connection_args) == "ACTIVE"
        return None if is_on else f"The {plugin} plugin is not enabled."
    return None if login.has_password or allow_passwordless else _PASSWORD_NEEDED

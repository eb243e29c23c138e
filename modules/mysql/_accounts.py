"""SQL statements that create users, change their passwords, and look up a user with a password.

Differences between kinds and versions of servers are handled here only.

Shapes: (statement, values); the statement never contains a value.
"""

from __future__ import annotations

import hashlib
from typing import Any, NamedTuple

from salt_g.modules.mysql._server import Version

Statement = tuple[str, dict[str, Any]]

#: First version in which MariaDB's ALTER USER has `IDENTIFIED VIA ... USING PASSWORD(...)`.
_MARIADB_ALTERS = (10, 4)
#: First version in which MySQL lacks the function PASSWORD.
_MYSQL_HASHES_ITSELF = (8, 0, 11)
#: First version in which MySQL changes users by ALTER USER.
_MYSQL_ALTERS = (5, 7, 6)
_NATIVE = "mysql_native_password"
#: Plugins that authenticate the socket's peer instead of a password.
SOCKET_PLUGINS = ("unix_socket", "auth_socket")
_WHO = "%(user)s@%(host)s"


class Login(NamedTuple):
    """Credentials of a user: a password, its digest, no password, or authentication by the socket."""

    user: str
    host: str = "localhost"
    password: str | None = None
    password_hash: str | None = None
    unix_socket: bool = False
    auth_plugin: str = _NATIVE

    @property
    def values(self) -> dict[str, Any]:
        """Values for `%(user)s`, `%(host)s` and `%(password)s` in statements."""
        secret = self.password_hash if self.password is None else str(self.password)
        return {"user": self.user, "host": self.host, "password": secret or ""}

    @property
    def has_password(self) -> bool:
        """Whether there is a password or a password digest."""
        return self.password is not None or self.password_hash is not None


def socket_plugin(server: Version) -> str:
    """Return the name of the plugin that authenticates by the socket."""
    return "unix_socket" if server.is_mariadb else "auth_socket"


def native_hash(password: str) -> str:
    """Return the digest of the plugin mysql_native_password."""
    inner = hashlib.sha1(password.encode()).digest()  # noqa: S324 - MySQL's format
    return "*" + hashlib.sha1(inner).hexdigest().upper()  # noqa: S324


def find(server: Version, login: Login, column: str, *, passwordless: bool) -> Statement:
    """Return the query for a user with these credentials; without a password, only by name and host.

    `column` is the server's column of digests. `passwordless` finds a user only if it has no password or,
    for a login by the socket, if it is authenticated by the socket.
    """
    sql = "SELECT User, Host FROM mysql.user WHERE User = %(user)s AND Host = %(host)s"
    values = login.values
    if passwordless:
        if login.unix_socket:
            return f"{sql} AND plugin = %(plugin)s", {**values, "plugin": socket_plugin(server)}
        return f"{sql} AND {column} = ''", values
    if not login.password and not login.password_hash:
        return sql, values
    if login.password and login.auth_plugin not in ("", _NATIVE, *SOCKET_PLUGINS):
        # Other digests are salted and cannot be compared.
        return sql, values
    if login.password:
        values["password"] = native_hash(str(login.password))
    return f"{sql} AND {column} = %(password)s", values


def create(server: Version, login: Login) -> Statement:
    """Return the statement that creates a user."""
    sql = f"CREATE USER {_WHO}"
    if login.unix_socket:
        verb = "VIA" if server.is_mariadb else "WITH"
        return f"{sql} IDENTIFIED {verb} {socket_plugin(server)}", login.values
    if not login.has_password:
        return sql, login.values
    if not server.is_mariadb and server.numbers >= _MYSQL_HASHES_ITSELF:
        word = "BY" if login.password is not None else "AS"
        sql += f" IDENTIFIED WITH %(plugin)s {word} %(password)s"
        return sql, {**login.values, "plugin": login.auth_plugin}
    word = "BY" if login.password is not None else "BY PASSWORD"
    return f"{sql} IDENTIFIED {word} %(password)s", login.values


def change(server: Version, login: Login) -> Statement:
    """Return the statement that changes a user's credentials."""
    if login.unix_socket and not login.has_password:
        verb = "VIA" if server.is_mariadb else "WITH"
        return f"ALTER USER {_WHO} IDENTIFIED {verb} {socket_plugin(server)}", login.values
    plugin = _NATIVE if login.auth_plugin in ("", *SOCKET_PLUGINS) else login.auth_plugin
    values = {**login.values, "plugin": plugin}
    digest = "%(password)s" if login.password is None else "PASSWORD(%(password)s)"
    if server.is_mariadb and server.numbers >= _MARIADB_ALTERS:
        return f"ALTER USER {_WHO} IDENTIFIED VIA %(plugin)s USING {digest}", values
    if not server.is_mariadb and server.numbers >= _MYSQL_ALTERS:
        word = "AS" if login.password_hash is not None and login.password is None else "BY"
        return f"ALTER USER {_WHO} IDENTIFIED WITH %(plugin)s {word} %(password)s", values
    return f"SET PASSWORD FOR {_WHO} = {digest}", values

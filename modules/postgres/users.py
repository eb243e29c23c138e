"""Users: roles that can log in by default."""

from __future__ import annotations

from typing import Any

import salt_g.modules.postgres._passwords as _passwords
import salt_g.modules.postgres._roles as _roles
from salt_g.modules.postgres._psql import Given, Port, Server
from salt_g.modules.postgres._roles import RoleParams


def user_list(
    user: Given = None,
    host: Given = None,
    port: Port = None,
    maintenance_db: Given = None,
    password: Given = None,
    runas: Given = None,
    return_password: bool = False,
) -> dict[str, dict[str, Any]] | bool:
    """Return {role: its attributes, groups and expiry time}; False if the server does not respond.

    Example::

        salt-g postgres.user_list
    """
    server = Server(user, host, port, maintenance_db, password, runas)
    return _roles.listed(server, with_password=return_password) or False


def role_get(
    name: str,
    user: Given = None,
    host: Given = None,
    port: Port = None,
    maintenance_db: Given = None,
    password: Given = None,
    runas: Given = None,
    return_password: bool = False,
) -> dict[str, Any] | None:
    """Return the attributes, groups and expiry time of a role; None if it does not exist.

    Example::

        salt-g postgres.role_get shop
    """
    server = Server(user, host, port, maintenance_db, password, runas)
    return _roles.listed(server, with_password=return_password).get(name)


def user_exists(
    name: str,
    user: Given = None,
    host: Given = None,
    port: Port = None,
    maintenance_db: Given = None,
    password: Given = None,
    runas: Given = None,
) -> bool:
    """Return whether a role of this name exists.

    Example::

        salt-g postgres.user_exists shop
    """
    return bool(role_get(name, user, host, port, maintenance_db, password, runas))


def user_create(
    username: str,
    user: Given = None,
    host: Given = None,
    port: Port = None,
    maintenance_db: Given = None,
    password: Given = None,
    createdb: bool | None = None,
    createroles: bool | None = None,
    inherit: bool | None = None,
    login: bool | None = None,
    connlimit: int | None = None,
    encrypted: str | bool | None = None,
    superuser: bool | None = None,
    replication: bool | None = None,
    rolepassword: str | bool | None = None,
    valid_until: Given = None,
    groups: Any = None,
    runas: Given = None,
) -> bool:
    """Create a user; return whether it was created, False if it exists already.

    `encrypted` is `md5` (the default), `scram-sha-256`, or False to let the server encrypt the password.
    `groups` (a list or comma-separated) are the groups that the user joins.

    Example::

        salt-g postgres.user_create shop rolepassword=secret encrypted=scram-sha-256
    """
    wanted = RoleParams(
        createdb=createdb,
        createroles=createroles,
        encrypted=encrypted,
        superuser=superuser,
        login=True if login is None else login,
        connlimit=connlimit,
        inherit=True if inherit is None else inherit,
        replication=replication,
        rolepassword=rolepassword,
        valid_until=valid_until,
        groups=groups,
    )
    return _roles.create(Server(user, host, port, maintenance_db, password, runas), "user", username, wanted)


def user_update(
    username: str,
    user: Given = None,
    host: Given = None,
    port: Port = None,
    maintenance_db: Given = None,
    password: Given = None,
    createdb: bool | None = None,
    createroles: bool | None = None,
    encrypted: str | bool | None = None,
    superuser: bool | None = None,
    inherit: bool | None = None,
    login: bool | None = None,
    connlimit: int | None = None,
    replication: bool | None = None,
    rolepassword: str | bool | None = None,
    valid_until: Given = None,
    groups: Any = None,
    runas: Given = None,
) -> bool:
    """Change the attributes, password or groups of a user; return whether that succeeded.

    The user joins `groups` and leaves none. `rolepassword=False` removes the password.

    Example::

        salt-g postgres.user_update shop createdb=True
    """
    wanted = RoleParams(
        createdb=createdb,
        createroles=createroles,
        encrypted=encrypted,
        superuser=superuser,
        login=login,
        connlimit=connlimit,
        inherit=inherit,
        replication=replication,
        rolepassword=rolepassword,
        valid_until=valid_until,
        groups=groups,
    )
    return _roles.update(Server(user, host, port, maintenance_db, password, runas), "user", username, wanted)


def user_remove(
    username: str,
    user: Given = None,
    host: Given = None,
    port: Port = None,
    maintenance_db: Given = None,
    password: Given = None,
    runas: Given = None,
) -> bool:
    """Remove a user; return whether it existed and was removed.

    Example::

        salt-g postgres.user_remove shop
    """
    return _roles.remove(Server(user, host, port, maintenance_db, password, runas), username)


def is_password(name: str, password: str, stored: str, encrypted: str | bool | None = None) -> bool:
    """Return whether the stored password (`role_get … return_password=True`) matches a password.

    It must also be encrypted by `encrypted`: `md5` (the default), `scram-sha-256`, or False for either.

    Example::

        salt-g postgres.is_password shop secret md5f433c50293bc7afbe20b67ceb15a1e55
    """
    return _passwords.matches(name, str(password), stored, encrypted)

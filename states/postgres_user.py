"""States of PostgreSQL users: roles with login."""

from __future__ import annotations

from typing import Any

from salt_g.shapes import StateReturn
from salt_g.states import _postgres_roles as roles
from salt_g.states._postgres import Given, Port, needs, server


def __virtual__() -> bool | tuple[bool, str]:
    return needs("postgres.user_exists")


def present(
    name: str,
    createdb: bool | None = None,
    createroles: bool | None = None,
    encrypted: str | bool | None = None,
    superuser: bool | None = None,
    replication: bool | None = None,
    inherit: bool | None = None,
    login: bool | None = None,
    password: Given = None,
    default_password: Given = None,
    refresh_password: bool | None = None,
    valid_until: Given = None,
    groups: Any = None,
    user: Given = None,
    maintenance_db: Given = None,
    db_password: Given = None,
    db_host: Given = None,
    db_port: Port = None,
    db_user: Given = None,
) -> StateReturn:
    """Ensure that a user exists with these attributes, password and groups.

    `encrypted` is `md5` (the default), `scram-sha-256`, or False for the server's own choice;
    `default_password` applies to a new user only; `refresh_password` sets the password every time without
    reading the stored one; `valid_until` is a time in a format of the server, or `infinity`. `user` is the
    system user to run psql as; the arguments beginning with `db_` are connection parameters.

    Example::

        salt-g state.single postgres_user.present shop password=secret encrypted=scram-sha-256
    """
    wanted = {
        "createdb": createdb,
        "createroles": createroles,
        "encrypted": encrypted,
        "superuser": superuser,
        "replication": replication,
        "inherit": inherit,
        "login": login,
        "rolepassword": password,
        "valid_until": valid_until,
        "groups": groups,
    }
    return roles.present(
        "user",
        name,
        wanted,
        server(user, db_user, db_password, db_host, db_port, maintenance_db),
        refresh_password=refresh_password,
        default_password=default_password,
    )


def absent(
    name: str,
    user: Given = None,
    maintenance_db: Given = None,
    db_password: Given = None,
    db_host: Given = None,
    db_port: Port = None,
    db_user: Given = None,
) -> StateReturn:
    """Ensure that the user does not exist.

    Example::

        salt-g state.single postgres_user.absent shop
    """
    return roles.absent("user", name, server(user, db_user, db_password, db_host, db_port, maintenance_db))

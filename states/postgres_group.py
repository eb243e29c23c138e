"""States of PostgreSQL groups: roles without login by default."""

from __future__ import annotations

from typing import Any

from salt_g.shapes import StateReturn
from salt_g.states import _postgres_roles as roles
from salt_g.states._postgres import Given, Port, needs, server


def __virtual__() -> bool | tuple[bool, str]:
    return needs("postgres.group_create")


def present(
    name: str,
    createdb: bool | None = None,
    createroles: bool | None = None,
    encrypted: str | bool | None = None,
    superuser: bool | None = None,
    inherit: bool | None = None,
    login: bool | None = None,
    replication: bool | None = None,
    password: Given = None,
    refresh_password: bool | None = None,
    groups: Any = None,
    user: Given = None,
    maintenance_db: Given = None,
    db_password: Given = None,
    db_host: Given = None,
    db_port: Port = None,
    db_user: Given = None,
) -> StateReturn:
    """Ensure that a group exists with these attributes and is a member of `groups`.

    The arguments are those of `postgres_user.present`.

    Example::

        salt-g state.single postgres_group.present readers
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
        "groups": groups,
    }
    at = server(user, db_user, db_password, db_host, db_port, maintenance_db)
    return roles.present("group", name, wanted, at, refresh_password=refresh_password)


def absent(
    name: str,
    user: Given = None,
    maintenance_db: Given = None,
    db_password: Given = None,
    db_host: Given = None,
    db_port: Port = None,
    db_user: Given = None,
) -> StateReturn:
    """Ensure that the group does not exist.

    Example::

        salt-g state.single postgres_group.absent readers
    """
    return roles.absent("group", name, server(user, db_user, db_password, db_host, db_port, maintenance_db))

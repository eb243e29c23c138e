"""Groups: roles that cannot log in by default."""

from __future__ import annotations

from typing import Any

import salt_g.modules.postgres._roles as _roles
from salt_g.modules.postgres._psql import Given, Port, Server
from salt_g.modules.postgres._roles import RoleParams


def group_create(
    groupname: str,
    user: Given = None,
    host: Given = None,
    port: Port = None,
    maintenance_db: Given = None,
    password: Given = None,
    createdb: bool | None = None,
    createroles: bool | None = None,
    encrypted: str | bool | None = None,
    login: bool | None = None,
    inherit: bool | None = None,
    superuser: bool | None = None,
    replication: bool | None = None,
    rolepassword: str | bool | None = None,
    groups: Any = None,
    runas: Given = None,
) -> bool:
    """Create a group; return whether that succeeded.

    Example::

        salt-g postgres.group_create readers
    """
    wanted = RoleParams(
        createdb=createdb,
        createroles=createroles,
        encrypted=encrypted,
        superuser=superuser,
        login=bool(login),
        inherit=True if inherit is None else inherit,
        replication=replication,
        rolepassword=rolepassword,
        groups=groups,
    )
    return _roles.create(
        Server(user, host, port, maintenance_db, password, runas), "group", groupname, wanted
    )


def group_update(
    groupname: str,
    user: Given = None,
    host: Given = None,
    port: Port = None,
    maintenance_db: Given = None,
    password: Given = None,
    createdb: bool | None = None,
    createroles: bool | None = None,
    encrypted: str | bool | None = None,
    inherit: bool | None = None,
    login: bool | None = None,
    superuser: bool | None = None,
    replication: bool | None = None,
    rolepassword: str | bool | None = None,
    groups: Any = None,
    runas: Given = None,
) -> bool:
    """Change the attributes of a group; return whether that succeeded.

    Example::

        salt-g postgres.group_update readers createdb=True
    """
    wanted = RoleParams(
        createdb=createdb,
        createroles=createroles,
        encrypted=encrypted,
        superuser=superuser,
        login=login,
        inherit=inherit,
        replication=replication,
        rolepassword=rolepassword,
        groups=groups,
    )
    return _roles.update(
        Server(user, host, port, maintenance_db, password, runas), "group", groupname, wanted
    )


def group_remove(
    groupname: str,
    user: Given = None,
    host: Given = None,
    port: Port = None,
    maintenance_db: Given = None,
    password: Given = None,
    runas: Given = None,
) -> bool:
    """Remove a group; return whether it existed and was removed.

    Example::

        salt-g postgres.group_remove readers
    """
    return _roles.remove(Server(user, host, port, maintenance_db, password, runas), groupname)

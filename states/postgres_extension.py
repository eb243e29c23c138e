"""States of PostgreSQL extensions."""

from __future__ import annotations

from salt_g.api import call
from salt_g.shapes import StateReturn
from salt_g.states._named_objects import Texts
from salt_g.states._postgres import Given, Port, checked_result, needs, removed, server

#: Results of `postgres.create_metadata`.
_NOT_INSTALLED, _INSTALLED = "EXTENSION NOT INSTALLED", "EXTENSION INSTALLED"


def __virtual__() -> bool | tuple[bool, str]:
    return needs("postgres.create_extension")


def present(
    name: str,
    if_not_exists: bool | None = None,
    schema: Given = None,
    ext_version: Given = None,
    from_version: Given = None,
    user: Given = None,
    maintenance_db: Given = None,
    db_user: Given = None,
    db_password: Given = None,
    db_host: Given = None,
    db_port: Port = None,
) -> StateReturn:
    """Ensure that the database `maintenance_db` has an extension, in `ext_version` or a newer version.

    An extension that is in another schema than `schema` is moved if it is relocatable.

    Example::

        salt-g state.single postgres_extension.present hstore maintenance_db=shop
    """
    at = server(user, db_user, db_password, db_host, db_port, maintenance_db)
    version = None if ext_version is None else str(ext_version)
    found = call("postgres.create_metadata", name, schema=schema, ext_version=version, **at)
    verb, done = ("install", "installed") if _NOT_INSTALLED in found else ("upgrade", "upgraded")
    texts = Texts(
        already=f"Extension {name} is already present",
        would=f"Extension {name} is set to be {done}",
        done=f"The extension {name} has been {done}",
        failed=f"Failed to {verb} extension {name}",
    )
    how = {"if_not_exists": if_not_exists, "schema": schema, "ext_version": version}
    return checked_result(
        name,
        texts,
        is_reached=found == [_INSTALLED],
        act=lambda: call("postgres.create_extension", name, **how, from_version=from_version, **at),
        changes={name: done.capitalize()},
    )


def absent(
    name: str,
    if_exists: bool | None = None,
    restrict: bool | None = None,
    cascade: bool | None = None,
    user: Given = None,
    maintenance_db: Given = None,
    db_user: Given = None,
    db_password: Given = None,
    db_host: Given = None,
    db_port: Port = None,
) -> StateReturn:
    """Ensure that the database `maintenance_db` does not have an extension.

    Dependent objects are dropped, too, unless `restrict` is True or `cascade` is False.

    Example::

        salt-g state.single postgres_extension.absent hstore maintenance_db=shop
    """
    at = server(user, db_user, db_password, db_host, db_port, maintenance_db)
    how = {"if_exists": if_exists, "restrict": restrict, "cascade": cascade}
    return removed(
        "Extension", name, ("postgres.is_installed_extension", "postgres.drop_extension"), at, **how
    )

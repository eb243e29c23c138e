"""States of procedural languages of a PostgreSQL database."""

from __future__ import annotations

from salt_g.api import call
from salt_g.shapes import StateReturn
from salt_g.states._named_objects import Texts
from salt_g.states._postgres import Given, Port, checked_result, needs, server


def __virtual__() -> bool | tuple[bool, str]:
    return needs("postgres.language_create")


def present(
    name: str,
    maintenance_db: str,
    user: Given = None,
    db_password: Given = None,
    db_host: Given = None,
    db_port: Port = None,
    db_user: Given = None,
) -> StateReturn:
    """Ensure that the database `maintenance_db` has a language.

    Example::

        salt-g state.single postgres_language.present plperl maintenance_db=shop
    """
    at = server(user, db_user, db_password, db_host, db_port, maintenance_db)
    texts = Texts(
        already=f"Language {name} is already installed",
        would=f"Language {name} is set to be installed",
        done=f"Language {name} has been installed",
        failed=f"Failed to install language {name}",
    )
    return checked_result(
        name,
        texts,
        is_reached=name in call("postgres.language_list", **at),
        act=lambda: call("postgres.language_create", name, **at),
        changes={name: "Present"},
    )


def absent(
    name: str,
    maintenance_db: str,
    user: Given = None,
    db_password: Given = None,
    db_host: Given = None,
    db_port: Port = None,
    db_user: Given = None,
) -> StateReturn:
    """Ensure that the database `maintenance_db` does not have a language.

    Example::

        salt-g state.single postgres_language.absent plperl maintenance_db=shop
    """
    at = server(user, db_user, db_password, db_host, db_port, maintenance_db)
    texts = Texts(
        already=f"Language {name} is not present so it cannot be removed",
        would=f"Language {name} is set to be removed",
        done=f"Language {name} has been removed",
        failed=f"Failed to remove language {name}",
    )
    return checked_result(
        name,
        texts,
        is_reached=not call("postgres.language_exists", name, **at),
        act=lambda: call("postgres.language_remove", name, **at),
        changes={name: "Absent"},
    )

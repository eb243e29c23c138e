"""States of MySQL and MariaDB databases.

Further arguments are the connection parameters of the `mysql` module (`connection_host`, …).
"""

from __future__ import annotations

from typing import Any

from salt_g.api import call, opts
from salt_g.shapes import StateReturn
from salt_g.states._mysql import forget, in_brackets, needs, unanswered
from salt_g.states._named_objects import Texts, ensure
from salt_g.states._outcome import failed, outcome, would_change


def __virtual__() -> bool | tuple[bool, str]:
    return needs("mysql.db_exists")


def present(
    name: str, character_set: str | None = None, collate: str | None = None, **connection_args: Any
) -> StateReturn:
    """Ensure that a database exists with this character set and collation.

    Example::

        salt-g state.single mysql_database.present shop character_set=utf8mb4
    """
    forget()
    known = call("mysql.db_get", name, **connection_args)
    if known:
        return _alter(name, known, {"character_set": character_set, "collate": collate}, connection_args)
    texts = Texts(
        already="",
        would=f"Database {name} is not present and needs to be created",
        done=f"The database {name} has been created",
        failed=f"Failed to create database {name}",
    )
    how = {"character_set": character_set, "collate": collate}
    return unanswered(name) or ensure(
        name,
        texts,
        is_reached=False,
        act=lambda: call("mysql.db_create", name, **how, **connection_args),
        changes={name: "Present"},
        problem=in_brackets,
    )


def absent(name: str, **connection_args: Any) -> StateReturn:
    """Ensure that the database does not exist.

    Example::

        salt-g state.single mysql_database.absent shop
    """
    forget()
    is_there = call("mysql.db_exists", name, **connection_args)
    texts = Texts(
        already=f"Database {name} is not present, so it cannot be removed",
        would=f"Database {name} is present and needs to be removed",
        done=f"Database {name} has been removed",
        failed=f"Unable to remove database {name}",
    )
    return unanswered(name) or ensure(
        name,
        texts,
        is_reached=not is_there,
        act=lambda: call("mysql.db_remove", name, **connection_args),
        changes={name: "Absent"},
        problem=in_brackets,
    )


def _alter(
    name: str, known: dict[str, str], wanted: dict[str, str | None], connection_args: dict[str, Any]
) -> StateReturn:
    differing = {key: value for key, value in wanted.items() if value and value != known[key]}
    comments = [
        f"Database {key.replace('_', ' ')} {value} != {known[key]} needs to be updated"
        for key, value in differing.items()
    ]
    if "character_set" not in differing:
        comments.insert(0, f"Database {name} is already present")
    if not differing:
        return outcome(name, True, comments[0])
    if opts["test"]:
        # Stock adds this line only if the character set alone differs.
        last = [] if "collate" in differing else [f"Database {name} is going to be updated"]
        return would_change(name, "\n".join([*comments, *last]))
    if not call("mysql.alter_db", name, **wanted, **connection_args):
        return failed(name, f"Failed to update database {name}{in_brackets()}")
    now = call("mysql.db_get", name, **connection_args)
    changes = {
        key: {"before": known[key], "now": now.get(key)} for key in known if known[key] != now.get(key)
    }
    return outcome(name, True, "\n".join(comments), changes)

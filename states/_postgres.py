"""What the states of PostgreSQL share: where the server is, and what it said when it refused.

Why its own file: the execution functions answer as for an empty server when psql fails, as stock's
do; the states say why, and never call a thing absent because nobody answered.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from salt_g.api import functions, opts, scratch
from salt_g.shapes import StateReturn
from salt_g.states._named_objects import Texts, reach
from salt_g.states._outcome import failed

#: Where `modules/postgres` leaves what psql said when it last failed.
_ERROR = "postgres.error"
_NO_DATABASE = re.compile(r'FATAL: +database ".*" does not exist')

Given = str | None
Port = int | str | None


def needs(function: str) -> bool | tuple[bool, str]:
    """Return what `__virtual__` of a state says: this function of `postgres` is here, or why not."""
    if function in functions:
        return True
    return False, (
        "Unable to load postgres module.  Make sure `postgres.bins_dir` is set,"
        " or install the package postgresql-client."
    )


def server(
    user: Given, db_user: Given, db_password: Given, db_host: Given, db_port: Port, maintenance_db: Given
) -> dict[str, Any]:
    """Return the arguments of execution functions that say where the server is; forget old errors."""
    scratch.pop(_ERROR, None)
    address = {"runas": user, "user": db_user, "password": db_password, "host": db_host, "port": db_port}
    return {**address, "maintenance_db": maintenance_db}


def said() -> str:
    """Return on a line of its own what psql said when it last failed, and forget it."""
    told = scratch.pop(_ERROR, None)
    return f"\n{told}" if told else ""


def settle(
    name: str,
    texts: Texts,
    *,
    is_reached: bool,
    act: Callable[[], Any],
    changes: dict[str, Any],
    shown_in_test: dict[str, Any] | None = None,
) -> StateReturn:
    """Return the result of a state after its questions; it fails when one of them had no answer.

    Not in test mode: the server may be what an earlier state would install. Nothing is left to
    remove from a database that does not exist.
    """
    problem = said()
    is_empty = is_reached and _NO_DATABASE.search(problem)
    if problem and not is_empty and not opts["test"]:
        return failed(name, texts.failed + problem)
    return reach(
        name,
        texts,
        is_reached=is_reached,
        act=act,
        changes=changes,
        problem=said,
        shown_in_test=shown_in_test,
    )


def removal(label: str, name: str) -> Texts:
    """Return the texts of a state that removes a thing, as in `removal("User", "shop")`."""
    return Texts(
        already=f"{label} {name} is not present, so it cannot be removed",
        would=f"{label} {name} is set to be removed",
        done=f"{label} {name} has been removed",
        failed=f"{label} {name} failed to be removed",
    )

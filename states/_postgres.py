"""Server arguments and error handling shared by the PostgreSQL states.

The execution functions return empty results when psql fails, as stock's do. The states report the error
instead, and never treat an unreachable server as an absent object.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from salt_g.api import call, functions, opts, scratch
from salt_g.shapes import StateReturn
from salt_g.states._named_objects import Texts, ensure
from salt_g.states._outcome import failed

#: Context key under which `modules/postgres` stores the last error of psql.
_ERROR = "postgres.error"
_NO_DATABASE = re.compile(r'FATAL: +database ".*" does not exist')

Given = str | None
Port = int | str | None


def needs(function: str) -> bool | tuple[bool, str]:
    """Return the value of `__virtual__`: whether this `postgres` function is available, or why not."""
    if function in functions:
        return True
    return False, (
        "Unable to load postgres module.  Make sure `postgres.bins_dir` is set,"
        " or install the package postgresql-client."
    )


def server(
    user: Given, db_user: Given, db_password: Given, db_host: Given, db_port: Port, maintenance_db: Given
) -> dict[str, Any]:
    """Return the connection arguments of execution functions, and discard old errors."""
    scratch.pop(_ERROR, None)
    address = {"runas": user, "user": db_user, "password": db_password, "host": db_host, "port": db_port}
    return {**address, "maintenance_db": maintenance_db}


def last_error() -> str:
    """Return the last error of psql on a line of its own, and clear it."""
    returned = scratch.pop(_ERROR, None)
    return f"\n{returned}" if returned else ""


def checked_result(
    name: str,
    texts: Texts,
    *,
    is_reached: bool,
    act: Callable[[], Any],
    changes: dict[str, Any],
    shown_in_test: dict[str, Any] | None = None,
) -> StateReturn:
    """Return the result of a state after its queries, or failure if one of the queries was not answered.

    Unanswered queries do not fail in test mode, since an earlier state may be about to install the server.
    Removals from a missing database succeed.
    """
    problem = last_error()
    is_empty = is_reached and _NO_DATABASE.search(problem)
    if problem and not is_empty and not opts["test"]:
        return failed(name, texts.failed + problem)
    return ensure(
        name,
        texts,
        is_reached=is_reached,
        act=act,
        changes=changes,
        problem=last_error,
        shown_in_test=shown_in_test,
    )


def removed(label: str, name: str, functions: tuple[str, str], at: dict[str, Any], **how: Any) -> StateReturn:
    """Ensure that an object does not exist; `functions` look for it and (with arguments `how`) remove it."""
    exists, remove = functions
    return checked_result(
        name,
        removal(label, name),
        is_reached=not call(exists, name, **at),
        act=lambda: call(remove, name, **how, **at),
        changes={name: "Absent"},
    )


def removal(label: str, name: str) -> Texts:
    """Return the comments of a removal, as in `removal("User", "shop")`."""
    return Texts(
        already=f"{label} {name} is not present, so it cannot be removed",
        would=f"{label} {name} is set to be removed",
        done=f"{label} {name} has been removed",
        failed=f"{label} {name} failed to be removed",
    )

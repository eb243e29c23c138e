"""PostgreSQL users and groups; both are roles, compared in the same way."""

from __future__ import annotations

import datetime
from typing import Any

from salt_g.api import call
from salt_g.shapes import StateReturn
from salt_g.states._named_objects import Texts
from salt_g.states._outcome import failed
from salt_g.states._postgres import checked_result, last_error, removed

#: {our argument: name of the attribute in `postgres.role_get`}
_COLUMNS = {
    "createdb": "can create databases",
    "inherit": "inherits privileges",
    "login": "can login",
    "createroles": "can create roles",
    "replication": "replication",
    "superuser": "superuser",
}


def present(
    kind: str,
    name: str,
    wanted: dict[str, Any],
    at: dict[str, Any],
    *,
    refresh_password: bool | None,
    default_password: str | None = None,
) -> StateReturn:
    """Ensure that a role has the attributes `wanted`, the arguments of `postgres.<kind>_create`."""
    password = wanted["rolepassword"]
    known = call("postgres.role_get", name, return_password=not refresh_password, **at)
    verb = "create" if known is None else "update"
    if known is None:
        wanted["rolepassword"] = default_password if password is None else password
    elif password is not None and not refresh_password:
        method = wanted["encrypted"]
        if call("postgres.is_password", name, password, known["password"], encrypted=method):
            wanted["rolepassword"] = None
    try:
        update = _update(known, wanted, at) if known else {}
    except ValueError as exc:
        return failed(name, f"Failed to update {kind} {name}: {exc}")
    texts = Texts(
        already=f"{kind.capitalize()} {name} is already present",
        would=f"{kind.capitalize()} {name} is set to be {verb}d",
        done=f"The {kind} {name} has been {verb}d",
        failed=f"Failed to {verb} {kind} {name}",
    )
    return checked_result(
        name,
        texts,
        is_reached=known is not None and not update,
        act=lambda: call(f"postgres.{kind}_{verb}", name, **wanted, **at),
        changes={name: update or "Present"},
        shown_in_test={name: update} if update else {},
    )


def absent(kind: str, name: str, at: dict[str, Any]) -> StateReturn:
    """Ensure that a role does not exist."""
    return removed(kind.capitalize(), name, ("postgres.user_exists", f"postgres.{kind}_remove"), at)


def _update(known: dict[str, Any], wanted: dict[str, Any], at: dict[str, Any]) -> dict[str, Any]:
    """Return the differences, in the form of `changes`."""
    update = {
        argument: wanted[argument]
        for argument, column in _COLUMNS.items()
        if wanted[argument] is not None and known[column] != wanted[argument]
    }
    if wanted["rolepassword"] is not None:
        update["password"] = True
    until = wanted.get("valid_until")
    if until is not None and _moment(until, at) != known["expiry time"]:
        update["valid_until"] = until
    groups = wanted["groups"]
    groups = groups.split(",") if isinstance(groups, str) else groups or []
    missing = [group for group in groups if group not in known.get("groups", [])]
    return {**update, "groups": missing} if missing else update


def _moment(until: str, at: dict[str, Any]) -> datetime.datetime | None:
    """Return a timestamp as the server parses it, or None for never; raises ValueError if it is invalid."""
    quoted = str(until).replace("'", "''")
    rows = call("postgres.psql_query", f"SELECT '{quoted}'::timestamp(0) AS dt", **at)
    if not rows:
        raise ValueError(f"valid_until {until!r} is not a moment{last_error()}")
    try:
        return datetime.datetime.strptime(rows[0]["dt"], "%Y-%m-%d %H:%M:%S")
    except ValueError:
        return None

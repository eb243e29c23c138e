"""Roles (users and groups): their attributes, as SQL and as reported by the server.

Users and groups differ only in the default of `login` and a word in the log.
"""

from __future__ import annotations

import csv
import datetime
import logging
from typing import Any, NamedTuple

import salt_g.modules.postgres._passwords as _passwords
import salt_g.modules.postgres._sql as _sql
from salt_g.modules.postgres._psql import Server, execute, execute_secret, rows

log = logging.getLogger(__name__)

#: The server's names of role attributes, by our argument.
_FLAGS = {
    "inherit": "INHERIT",
    "createdb": "CREATEDB",
    "createroles": "CREATEROLE",
    "superuser": "SUPERUSER",
    "replication": "REPLICATION",
    "login": "LOGIN",
}
_BOOLEANS = {"t": True, "f": False}
#: Columns that hold t or f; the last one is a number, which stock reads the same way, into None.
_COLUMNS = (
    *("superuser", "inherits privileges", "can create roles", "can create databases"),
    *("can update system catalogs", "can login", "replication", "connections"),
)
_LIST = (
    'SELECT r.rolname AS "name", r.rolsuper AS "superuser", r.rolinherit AS "inherits privileges", '
    'r.rolcreaterole AS "can create roles", r.rolcreatedb AS "can create databases", '
    'NULL AS "can update system catalogs", r.rolcanlogin AS "can login", '
    'r.rolreplication AS "replication", r.rolconnlimit AS "connections", '
    "(SELECT array_agg(g.rolname) FROM pg_catalog.pg_auth_members m "
    'JOIN pg_catalog.pg_roles g ON m.roleid = g.oid WHERE m.member = r.oid) AS "groups", '
    'r.rolvaliduntil::timestamp(0) AS "expiry time", r.rolconfig AS "defaults variables"{column} '
    "FROM pg_roles r{table}"
)
_PASSWORD = {
    "column": ', a.rolpassword AS "password"',
    "table": " LEFT JOIN pg_authid a ON a.oid = r.oid",
}


class RoleParams(NamedTuple):
    """Attributes of a role; None keeps the current value or the server's default."""

    createdb: bool | None = None
    createroles: bool | None = None
    encrypted: str | bool | None = None
    superuser: bool | None = None
    login: bool | None = None
    connlimit: int | None = None
    inherit: bool | None = None
    replication: bool | None = None
    rolepassword: str | bool | None = None
    valid_until: str | None = None
    groups: Any = None

    def clauses(self, role: str) -> str:
        """Return the options of CREATE ROLE and ALTER ROLE."""
        found = [
            word if getattr(self, name) else f"NO{word}"
            for name, word in _FLAGS.items()
            if getattr(self, name) is not None
        ]
        found += [f"CONNECTION LIMIT {int(self.connlimit)}"] if self.connlimit is not None else []
        if self.rolepassword is False:
            found.append("PASSWORD NULL")
        elif self.rolepassword not in (None, "", True):
            stored = _passwords.encrypted(role, str(self.rolepassword), self.encrypted)
            found.append(f"PASSWORD {_sql.value(stored)}")
        if self.valid_until is not None:
            found.append(f"VALID UNTIL {_sql.value(self.valid_until or 'infinity')}")
        return " ".join(found)

    def statements(self, verb: str, role: str) -> list[str]:
        """Return the statements that create (CREATE) or change (ALTER) a role."""
        clauses = self.clauses(role)
        made = f"{verb} ROLE {_sql.name(role)}" + (f" WITH {clauses}" if clauses else "")
        groups = self.groups.split(",") if isinstance(self.groups, str) else self.groups or []
        return [made, *(f"GRANT {_sql.name(group)} TO {_sql.name(role)}" for group in groups)]


def listed(server: Server, *, with_password: bool) -> dict[str, dict[str, Any]]:
    """Return {role: attributes}, or {} if the server does not respond; every server has at least one role."""
    parts = _PASSWORD if with_password else {"column": "", "table": ""}
    return {row["name"]: _described(row) for row in rows(server, _LIST.format(**parts))}


def create(server: Server, kind: str, role: str, wanted: RoleParams) -> bool:
    """Create a role; return whether it was created, False if it exists already."""
    if role in listed(server, with_password=False):
        log.info("%s '%s' already exists", kind.capitalize(), role)
        return False
    return execute_secret(server, wanted.statements("CREATE", role))["retcode"] == 0


def update(server: Server, kind: str, role: str, wanted: RoleParams) -> bool:
    """Change a role; return whether that succeeded."""
    known = listed(server, with_password=False).get(role)
    if not known:
        log.info("%s '%s' could not be found", kind.capitalize(), role)
        return False
    if bool(wanted.superuser) == bool(known["superuser"]):
        # Only a superuser may use this word, even if it changes nothing.
        wanted = wanted._replace(superuser=None)
    return execute_secret(server, wanted.statements("ALTER", role))["retcode"] == 0


def remove(server: Server, role: str) -> bool:
    """Remove a role; return whether it existed and was removed."""
    if role not in listed(server, with_password=False):
        log.info("User '%s' does not exist", role)
        return False
    execute(server, f"DROP ROLE {_sql.name(role)}")
    return role not in listed(server, with_password=False)


def _described(row: dict[str, str]) -> dict[str, Any]:
    role: dict[str, Any] = {name: _BOOLEANS.get(row[name]) for name in _COLUMNS}
    role["expiry time"] = _moment(row["expiry time"])
    role["defaults variables"] = row["defaults variables"]
    if "password" in row:
        role["password"] = row["password"]
    role["groups"] = next(csv.reader([row["groups"].strip("{}")]))
    return role


def _moment(text: str) -> datetime.datetime | None:
    try:
        return datetime.datetime.strptime(text, "%Y-%m-%d %H:%M:%S")
    except ValueError:
        return None

"""Privileges on tables, schemas, databases, …; and members of groups."""

from __future__ import annotations

import logging
import re
from typing import Any, NamedTuple

import salt_g.modules.postgres._sql as _sql
from salt_g.errors import InvocationError
from salt_g.modules.postgres._psql import Given, Port, Server, rows, succeeds
from salt_g.modules.postgres.querying import major

log = logging.getLogger(__name__)

_TABLE = ("INSERT", "SELECT", "UPDATE", "DELETE", "TRUNCATE", "REFERENCES", "TRIGGER", "MAINTAIN")
#: All privileges of each kind of object.
_ALL: dict[str, tuple[str, ...]] = {
    "table": _TABLE,
    "sequence": ("SELECT", "UPDATE", "USAGE"),
    "schema": ("USAGE", "CREATE"),
    "database": ("CREATE", "TEMPORARY", "CONNECT"),
    "tablespace": ("CREATE",),
    "language": ("USAGE",),
    "function": ("EXECUTE",),
    "group": (),
}
#: First server version with the privilege MAINTAIN on tables.
_FIRST_WITH_MAINTAIN = 17


class _Catalog(NamedTuple):
    """Catalog location of a kind of object; `owner`, `acl` and `name` are columns."""

    table: str
    owner: str
    acl: str
    name: str
    where: str = "true"


_IN_SCHEMA = "JOIN pg_catalog.pg_namespace n ON n.oid = "
_PLACES = {
    "table": _Catalog(
        f"pg_catalog.pg_class o {_IN_SCHEMA}o.relnamespace",
        *("relowner", "relacl", "relname", "nspname = {schema} AND relkind IN ('r', 'v', 'm', 'p', 'f')"),
    ),
    "sequence": _Catalog(
        f"pg_catalog.pg_class o {_IN_SCHEMA}o.relnamespace",
        *("relowner", "relacl", "relname", "nspname = {schema} AND relkind = 'S'"),
    ),
    "function": _Catalog(
        f"pg_catalog.pg_proc o {_IN_SCHEMA}o.pronamespace",
        *("proowner", "proacl", "o.oid::regprocedure::text", "nspname = {schema}"),
    ),
    "schema": _Catalog("pg_catalog.pg_namespace o", "nspowner", "nspacl", "nspname"),
    "tablespace": _Catalog("pg_catalog.pg_tablespace o", "spcowner", "spcacl", "spcname"),
    "language": _Catalog("pg_catalog.pg_language o", "lanowner", "lanacl", "lanname"),
    "database": _Catalog("pg_catalog.pg_database o", "datdba", "datacl", "datname"),
}
#: Kinds of objects in a schema; the name `ALL` means all objects of the kind in it.
_OF_SCHEMAS = ("table", "sequence", "function")


class _Object(NamedTuple):
    """Object to which privileges apply: its kind, name and schema."""

    kind: str
    name: str
    prepend: str = "public"

    @property
    def is_all(self) -> bool:
        """Whether this means all objects of the kind in the schema."""
        return self.kind in _OF_SCHEMAS and self.name.upper() == "ALL"

    def query(self, columns: str, joined: str = "") -> str:
        """Return a query of the object's row; `{owner}`, `{acl}` and `{name}` stand for its columns."""
        place = _PLACES[self.kind]
        where = place.where.format(schema=_sql.value(self.prepend))
        if not self.is_all:
            where += f" AND {place.name} = {_sql.value(self.name)}"
        words = {"owner": place.owner, "acl": place.acl, "name": place.name}
        return f"SELECT {columns.format(**words)} FROM {place.table}{joined.format(**words)} WHERE {where}"

    def named(self) -> str:
        """Return the object in the syntax of GRANT and REVOKE."""
        if self.is_all:
            return f"ALL {self.kind.upper()}S IN SCHEMA {_sql.name(self.prepend)}"
        # The name of a function is its signature, which is not quoted as a whole.
        name = self.name if self.kind == "function" else _sql.name(self.name)
        if self.kind in _OF_SCHEMAS and not (self.kind == "function" and "." in name.partition("(")[0]):
            name = f"{_sql.name(self.prepend)}.{name}"
        return f"{self.kind.upper()} {name}"


def privileges_list(
    name: str,
    object_type: str,
    prepend: str = "public",
    maintenance_db: Given = None,
    user: Given = None,
    host: Given = None,
    port: Port = None,
    password: Given = None,
    runas: Given = None,
) -> dict[str, Any]:
    """Return {role: {privilege: whether with grant option}}; for a group {member: whether with admin option}.

    `object_type` is `table`, `sequence`, `function`, `schema`, `database`, `tablespace`, `language` or
    `group`. `prepend` is the schema of a table, sequence or function, in which the name `ALL` means all of
    them. The role `public` means all roles.

    Example::

        salt-g postgres.privileges_list orders table maintenance_db=shop
    """
    thing = _Object(_kind(object_type), name, prepend)
    return _listed(Server(user, host, port, maintenance_db, password, runas), thing)


def has_privileges(
    name: str,
    object_name: str,
    object_type: str,
    privileges: Given = None,
    grant_option: bool | None = None,
    prepend: str = "public",
    maintenance_db: Given = None,
    user: Given = None,
    host: Given = None,
    port: Port = None,
    password: Given = None,
    runas: Given = None,
) -> bool:
    """Return whether a role has privileges (`SELECT,INSERT`, or `ALL`) on an object; its owner has all.

    With `grant_option`, whether the role may also grant them. For a group, whether the role is a member.
    `object_type` and `prepend` are those of `postgres.privileges_list`.

    Example::

        salt-g postgres.has_privileges reader orders table SELECT maintenance_db=shop
    """
    thing = _Object(_kind(object_type), object_name, prepend)
    wanted = _checked(thing.kind, privileges)
    server = Server(user, host, port, maintenance_db, password, runas)
    if thing.kind == "group":
        members = _listed(server, thing)
        return name in members and (bool(members[name]) or not grant_option)
    if thing.is_all:
        found = rows(server, thing.query("{name} AS name"))
        return bool(found) and all(
            _holds(server, name, thing._replace(name=row["name"]), wanted, grant_option) for row in found
        )
    return _holds(server, name, thing, wanted, grant_option)


def privileges_grant(
    name: str,
    object_name: str,
    object_type: str,
    privileges: Given = None,
    grant_option: bool | None = None,
    prepend: str = "public",
    maintenance_db: Given = None,
    user: Given = None,
    host: Given = None,
    port: Port = None,
    password: Given = None,
    runas: Given = None,
) -> bool:
    """Grant a role privileges on an object, or membership in a group; return whether that succeeded.

    Returns False if the role has them already. The arguments are those of `postgres.has_privileges`.

    Example::

        salt-g postgres.privileges_grant reader orders table SELECT maintenance_db=shop
    """
    thing = _Object(_kind(object_type), object_name, prepend)
    wanted = _checked(thing.kind, privileges)
    server = Server(user, host, port, maintenance_db, password, runas)
    if has_privileges(name, object_name, object_type, privileges, grant_option, prepend, **server._asdict()):
        log.info("%s of type %s already has privileges %s set", object_name, object_type, privileges)
        return False
    if thing.kind == "group":
        passed_on = " WITH ADMIN OPTION" if grant_option else ""
        return succeeds(server, f"GRANT {_sql.name(object_name)} TO {_role(name)}{passed_on}")
    passed_on = " WITH GRANT OPTION" if grant_option else ""
    return succeeds(server, f"GRANT {','.join(wanted)} ON {thing.named()} TO {_role(name)}{passed_on}")


def privileges_revoke(
    name: str,
    object_name: str,
    object_type: str,
    privileges: Given = None,
    prepend: str = "public",
    maintenance_db: Given = None,
    user: Given = None,
    host: Given = None,
    port: Port = None,
    password: Given = None,
    runas: Given = None,
) -> bool:
    """Revoke a role's privileges on an object, or membership in a group; return whether that succeeded.

    Returns False if the role does not have all of them. The arguments are those of
    `postgres.has_privileges`.

    Example::

        salt-g postgres.privileges_revoke reader orders table SELECT maintenance_db=shop
    """
    thing = _Object(_kind(object_type), object_name, prepend)
    wanted = _checked(thing.kind, privileges)
    server = Server(user, host, port, maintenance_db, password, runas)
    if not has_privileges(name, object_name, object_type, privileges, None, prepend, **server._asdict()):
        log.info("%s of type %s does not have privileges %s set", object_name, object_type, privileges)
        return False
    if thing.kind == "group":
        return succeeds(server, f"REVOKE {_sql.name(object_name)} FROM {_role(name)}")
    return succeeds(server, f"REVOKE {','.join(wanted)} ON {thing.named()} FROM {_role(name)}")


def _kind(object_type: str) -> str:
    kind = object_type.lower()
    if kind not in _ALL:
        known = ", ".join(sorted(_ALL))
        raise InvocationError(f"Invalid object_type: {object_type} provided; valid: {known}")
    return kind


def _checked(kind: str, privileges: Given) -> list[str]:
    """Return the privileges of a comma-separated text; raise InvocationError if one does not exist."""
    if kind == "group":
        if privileges:
            raise InvocationError("The privileges option should not be set for object_type group")
        return []
    wanted = re.split(r"\s*,\s*", (privileges or "").strip().upper())
    if not set(wanted) <= {*_ALL[kind], "ALL"}:
        raise InvocationError(f"Invalid privilege(s): {privileges} provided for object {kind}")
    return wanted


def _role(name: str) -> str:
    """Return a role in SQL; `public` means all roles and is not quoted."""
    return "PUBLIC" if name == "public" else _sql.name(name)


def _listed(server: Server, thing: _Object) -> dict[str, Any]:
    if thing.kind == "group":
        query = (
            "SELECT r.rolname, m.admin_option FROM pg_catalog.pg_auth_members m "
            "JOIN pg_catalog.pg_roles r ON m.member = r.oid JOIN pg_catalog.pg_roles g ON m.roleid = g.oid "
            f"WHERE g.rolname = {_sql.value(thing.name)} ORDER BY r.rolname"
        )
        return {row["rolname"]: row["admin_option"] == "t" for row in rows(server, query)}
    query = thing.query(
        "CASE a.grantee WHEN 0 THEN 'public' ELSE pg_get_userbyid(a.grantee) END AS grantee, "
        "a.privilege_type, a.is_grantable",
        ", aclexplode({acl}) a",
    )
    roles: dict[str, dict[str, bool]] = {}
    for row in rows(server, query):
        roles.setdefault(row["grantee"], {})[row["privilege_type"]] = row["is_grantable"] == "t"
    return roles


def _holds(server: Server, role: str, thing: _Object, wanted: list[str], grant_option: bool | None) -> bool:
    owner = rows(server, thing.query("pg_get_userbyid({owner}) AS name"))
    if owner and owner[0]["name"] == role:
        return True
    held = _listed(server, thing).get(role, {})
    if "ALL" in wanted:
        wanted = [each for each in _ALL[thing.kind] if each != "MAINTAIN" or _has_maintain(server)]
    return all(each in held and (held[each] or not grant_option) for each in wanted)


def _has_maintain(server: Server) -> bool:
    return major(server) >= (_FIRST_WITH_MAINTAIN,)

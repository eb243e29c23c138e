"""States of PostgreSQL privileges and group memberships."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from salt_g.api import call
from salt_g.shapes import StateReturn
from salt_g.states._named_objects import Texts
from salt_g.states._postgres import Given, Port, checked_result, needs, server


def __virtual__() -> bool | tuple[bool, str]:
    return needs("postgres.privileges_grant")


def present(
    name: str,
    object_name: str,
    object_type: str,
    privileges: Sequence[str] | None = None,
    grant_option: bool | None = None,
    prepend: str = "public",
    maintenance_db: Given = None,
    user: Given = None,
    db_password: Given = None,
    db_host: Given = None,
    db_port: Port = None,
    db_user: Given = None,
) -> StateReturn:
    """Ensure that a role has privileges on an object, or is a member of the group `object_name`.

    privileges
        A list (`[SELECT, INSERT]`, or `[ALL]`).
    object_type
        `table`, `sequence`, `function`, `schema`, `database`, `tablespace`, `language` or `group`.
    prepend
        The schema of a table, sequence or function; the `object_name` `ALL` means all of them in the schema.
    maintenance_db
        The database with the object.
    grant_option
        Permit the role to grant the privileges to others.

    Example::

        salt-g state.single postgres_privileges.present reader object_name=readers object_type=group
    """
    at = server(user, db_user, db_password, db_host, db_port, maintenance_db)
    thing = _thing(object_name, object_type, privileges, prepend)
    texts = Texts(
        already="The requested privilege(s) are already set",
        would=f"The privilege(s): {_named(thing)} are set to be granted to {name}",
        done=f"The privilege(s): {_named(thing)} have been granted to {name}",
        failed=f"Failed to grant privilege(s): {_named(thing)} to {name}",
    )
    return checked_result(
        name,
        texts,
        is_reached=call("postgres.has_privileges", name, **thing, grant_option=grant_option, **at),
        act=lambda: call("postgres.privileges_grant", name, **thing, grant_option=grant_option, **at),
        changes={name: "Present"},
    )


def absent(
    name: str,
    object_name: str,
    object_type: str,
    privileges: Sequence[str] | None = None,
    prepend: str = "public",
    maintenance_db: Given = None,
    user: Given = None,
    db_password: Given = None,
    db_host: Given = None,
    db_port: Port = None,
    db_user: Given = None,
) -> StateReturn:
    """Ensure that a role lacks privileges on an object, or is not a member of the group `object_name`.

    The arguments are those of `postgres_privileges.present`.

    Example::

        salt-g state.single postgres_privileges.absent reader object_name=readers object_type=group
    """
    at = server(user, db_user, db_password, db_host, db_port, maintenance_db)
    thing = _thing(object_name, object_type, privileges, prepend)
    texts = Texts(
        already="The requested privilege(s) are not set so cannot be revoked",
        would=f"The privilege(s): {_named(thing)} are set to be revoked from {name}",
        done=f"The privilege(s): {_named(thing)} have been revoked from {name}",
        failed=f"Failed to revoke privilege(s): {_named(thing)} from {name}",
    )
    return checked_result(
        name,
        texts,
        is_reached=not call("postgres.has_privileges", name, **thing, **at),
        act=lambda: call("postgres.privileges_revoke", name, **thing, **at),
        changes={name: "Absent"},
    )


def _thing(
    object_name: str, object_type: str, privileges: Sequence[str] | None, prepend: str
) -> dict[str, Any]:
    words = [privileges] if isinstance(privileges, str) else privileges or []
    thing = {"object_name": object_name, "object_type": object_type, "prepend": prepend}
    return {**thing, "privileges": ",".join(words) or None}


def _named(thing: dict[str, Any]) -> str:
    return str(thing["object_name"] if thing["object_type"] == "group" else thing["privileges"])

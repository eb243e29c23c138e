"""States of privileges in MySQL and MariaDB.

Further arguments are the connection parameters of the `mysql` module (`connection_host`, …).
"""

from __future__ import annotations

from typing import Any

from salt_g.api import call, opts
from salt_g.shapes import StateReturn
from salt_g.states._mysql import forget, in_brackets, needs, refusal, unanswered
from salt_g.states._named_objects import Texts, ensure
from salt_g.states._outcome import failed


def __virtual__() -> bool | tuple[bool, str]:
    return needs("mysql.grant_exists")


def present(
    name: str,
    grant: str,
    database: str,
    user: str,
    host: str = "localhost",
    grant_option: bool = False,
    escape: bool = True,
    revoke_first: bool = False,
    ssl_option: Any = False,
    **connection_args: Any,
) -> StateReturn:
    """Ensure that a user has privileges (`SELECT,INSERT`) on a database (`shop.*`) or table.

    `revoke_first` revokes all privileges of the user on the same object before it grants missing ones;
    `grant_option` permits the user to grant the privileges to others; without `escape`, `database` is raw
    SQL; `ssl_option` is a list like `[{'SSL': True}]`.

    Example::

        salt-g state.single mysql_grants.present reads grant=SELECT database='shop.*' user=reader
    """
    forget()
    what = (grant, database, user, host, grant_option, escape)
    said = f"{grant} on {database} to {user}@{host}"
    is_there = call("mysql.grant_exists", *what, **connection_args)
    texts = Texts(
        already=f"Grant {said} is already present",
        would=f"MySQL grant {name} is set to be created",
        done=f"Grant {said} has been added",
        failed=f'Failed to execute: "GRANT {grant} ON {database} TO {user}@{host}"',
    )

    def add() -> Any:
        if revoke_first:
            _revoke_all(database, user, host, escape, connection_args)
        return call("mysql.grant_add", *what, ssl_option, **connection_args)

    return unanswered(name) or ensure(
        name,
        texts,
        is_reached=is_there,
        act=add,
        changes={name: "Present"},
        problem=in_brackets,
    )


def absent(
    name: str,
    grant: str,
    database: str,
    user: str,
    host: str = "localhost",
    grant_option: bool = False,
    escape: bool = True,
    **connection_args: Any,
) -> StateReturn:
    """Ensure that a user lacks privileges on a database or table.

    Example::

        salt-g state.single mysql_grants.absent reads grant=SELECT database='shop.*' user=reader
    """
    forget()
    what = (grant, database, user, host, grant_option, escape)
    is_there = call("mysql.grant_exists", *what, **connection_args)
    returned = refusal()
    said = f"{grant} on {database} for {user}@{host}"
    if returned:
        return failed(name, f"Unable to determine if grant {said} exists ({returned})")
    texts = Texts(
        already=f"Grant {grant} on {database} to {user}@{host} is not present, so it cannot be revoked",
        would=f"MySQL grant {name} is set to be revoked",
        done=f"Grant {said} has been revoked",
        failed=f"Unable to revoke grant {said}",
    )
    return ensure(
        name,
        texts,
        is_reached=not is_there,
        act=lambda: call("mysql.grant_revoke", *what, **connection_args),
        changes={name: "Absent"},
        problem=in_brackets,
    )


def _revoke_all(database: str, user: str, host: str, escape: bool, connection_args: dict[str, Any]) -> None:
    """Revoke all privileges of a user on an object."""
    if opts["test"]:
        return
    for line in call("mysql.user_grants", user, host, **connection_args) or []:
        known = call("mysql.tokenize_grant", line)
        held = [each for each in known["grant"] if "." not in each and each != "USAGE"]
        if held and _bare(known["database"]) == _bare(database):
            call("mysql.grant_revoke", ",".join(held), database, user, host, False, escape, **connection_args)


def _bare(database: str) -> str:
    return database.replace("`", "").replace("\\", "")

"""States of PostgreSQL tablespaces."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from salt_g.api import call
from salt_g.shapes import StateReturn
from salt_g.states._named_objects import Texts
from salt_g.states._outcome import failed
from salt_g.states._postgres import Given, Port, checked_result, needs, removed, server


def __virtual__() -> bool | tuple[bool, str]:
    return needs("postgres.tablespace_exists")


def present(
    name: str,
    directory: str,
    options: Mapping[str, Any] | None = None,
    owner: Given = None,
    user: Given = None,
    maintenance_db: Given = None,
    db_password: Given = None,
    db_host: Given = None,
    db_port: Port = None,
    db_user: Given = None,
) -> StateReturn:
    """Ensure that a tablespace exists in this directory, with this owner and these options.

    The directory must exist, be empty and belong to the server's user.

    Example::

        salt-g state.single postgres_tablespace.present fast directory=/srv/fast
    """
    at = server(user, db_user, db_password, db_host, db_port, maintenance_db)
    known = call("postgres.tablespace_list", **at)
    if name not in known:
        texts = Texts(
            already="",
            would=f"Tablespace {name} is set to be created",
            done=f"The tablespace {name} has been created",
            failed=f"Failed to create tablespace {name}",
        )

        def create() -> Any:
            return call("postgres.tablespace_create", name, directory, options, owner, **at)

        return checked_result(name, texts, is_reached=False, act=create, changes={name: "Present"})
    if known[name]["Location"] != directory:
        return failed(
            name,
            f"Tablespace {name} is not at the right location. This is"
            " unfixable without dropping and recreating the tablespace.",
        )
    return _alter(name, known[name], owner, options or {}, at)


def absent(
    name: str,
    user: Given = None,
    maintenance_db: Given = None,
    db_user: Given = None,
    db_password: Given = None,
    db_host: Given = None,
    db_port: Port = None,
) -> StateReturn:
    """Ensure that the tablespace does not exist; only an empty one is removed.

    Example::

        salt-g state.single postgres_tablespace.absent fast
    """
    at = server(user, db_user, db_password, db_host, db_port, maintenance_db)
    return removed("Tablespace", name, ("postgres.tablespace_exists", "postgres.tablespace_remove"), at)


def _alter(
    name: str, known: dict[str, str], owner: Given, options: Mapping[str, Any], at: dict[str, Any]
) -> StateReturn:
    has = known["Opts"].strip("{}").split(",")
    missing = {key: value for key, value in options.items() if f"{key}={value}" not in has}
    new_owner = owner if owner and owner != known["Owner"] else None
    texts = Texts(
        already=f"Tablespace {name} is already present",
        would=f"Tablespace {name} {'options' if missing else 'owner'} to be altered",
        done=f"Tablespace {name} {'opts' if missing else 'owner'} changed",
        failed=f"Failed to change tablespace {name}",
    )
    changes = {"owner": new_owner} if new_owner else {}
    return checked_result(
        name,
        texts,
        is_reached=not missing and not new_owner,
        act=lambda: call("postgres.tablespace_alter", name, new_owner=new_owner, set_option=missing, **at),
        changes={name: {**changes, **({"options": missing} if missing else {})}},
    )

"""States of MySQL and MariaDB users.

Further arguments are the connection parameters of the `mysql` module (`connection_host`, …).
"""

from __future__ import annotations

from typing import Any

from salt_g.api import call
from salt_g.shapes import StateReturn
from salt_g.states._mysql import forget, in_brackets, needs, unanswered
from salt_g.states._named_objects import Texts, ensure
from salt_g.states._outcome import as_wanted, failed


def __virtual__() -> bool | tuple[bool, str]:
    return needs("mysql.user_create")


def present(
    name: str,
    host: str = "localhost",
    password: str | None = None,
    password_hash: str | None = None,
    allow_passwordless: bool = False,
    unix_socket: bool = False,
    password_column: str | None = None,
    auth_plugin: str = "mysql_native_password",
    **connection_args: Any,
) -> StateReturn:
    """Ensure that a user can log in from `host` with this password, or with the password of this hash.

    `allow_passwordless` permits a login without a password; with `unix_socket` the system user of that name
    can log in.

    Example::

        salt-g state.single mysql_user.present shop host=localhost password=secret
    """
    forget()
    how = {"unix_socket": unix_socket, "password_column": password_column, **connection_args}
    passwordless = not password and not password_hash
    if passwordless and not allow_passwordless and not unix_socket:
        return failed(
            name, "Either password or password_hash must be specified, unless allow_passwordless is True"
        )
    secrets = {} if passwordless else {"password": password, "password_hash": password_hash}
    is_reached = call("mysql.user_exists", name, host, passwordless=passwordless, **secrets, **how)
    problem = unanswered(name)
    if problem or is_reached:
        with_what = _with_what(password, passwordless, allow_passwordless, auth_plugin)
        return problem or as_wanted(name, f"User {name}@{host} is already present{with_what}")
    is_known = call("mysql.user_exists", name, host, **how)
    problem = unanswered(name)
    if problem:
        return problem
    # An empty password counts as none.
    wanted = {
        "password": password or None,
        "password_hash": password_hash or None,
        "allow_passwordless": allow_passwordless or passwordless,
        **how,
    }
    if is_known:
        return _change(name, host, passwordless, wanted)
    return _create(name, host, allow_passwordless, {**wanted, "auth_plugin": auth_plugin})


def absent(name: str, host: str = "localhost", **connection_args: Any) -> StateReturn:
    """Ensure that the user does not exist.

    Example::

        salt-g state.single mysql_user.absent shop host=localhost
    """
    forget()
    is_there = call("mysql.user_exists", name, host, **connection_args)
    texts = Texts(
        already=f"User {name}@{host} is not present, so it cannot be removed",
        would=f"User {name}@{host} is set to be removed",
        done=f"User {name}@{host} has been removed",
        failed=f"User {name}@{host} could not be removed",
    )
    return unanswered(name) or ensure(
        name,
        texts,
        is_reached=not is_there,
        act=lambda: call("mysql.user_remove", name, host, **connection_args),
        changes={name: "Absent"},
        problem=in_brackets,
    )


def _with_what(password: str | None, passwordless: bool, allow_passwordless: bool, auth_plugin: str) -> str:
    """Return the end of the comment for a user that is as wanted."""
    if passwordless:
        return " with passwordless login" if allow_passwordless else ""
    if auth_plugin != "mysql_native_password":
        return ". Unable to verify password."
    return " with the desired password" + ("" if password else " hash")


def _change(name: str, host: str, passwordless: bool, wanted: dict[str, Any]) -> StateReturn:
    texts = Texts(
        already="",
        would=f"Password for user {name}@{host} is set to be {'cleared' if passwordless else 'changed'}",
        done=f"Password for user {name}@{host} has been {'cleared' if passwordless else 'changed'}",
        failed=f"Failed to {'clear' if passwordless else 'change'} password for user {name}@{host}",
    )
    return ensure(
        name,
        texts,
        is_reached=False,
        act=lambda: call("mysql.user_chpass", name, host, **wanted),
        changes={name: "Updated"},
        problem=in_brackets,
    )


def _create(name: str, host: str, allow_passwordless: bool, wanted: dict[str, Any]) -> StateReturn:
    how = " with passwordless login" if allow_passwordless else ""
    how += " using unix_socket" if wanted["unix_socket"] else ""
    texts = Texts(
        already="",
        would=f"User {name}@{host} is set to be added{how}",
        done=f"The user {name}@{host} has been added{how}",
        failed=f"Failed to create user {name}@{host}",
    )
    wanted["allow_passwordless"] = allow_passwordless
    return ensure(
        name,
        texts,
        is_reached=False,
        act=lambda: call("mysql.user_create", name, host, **wanted),
        changes={name: "Present"},
        problem=in_brackets,
    )

"""Users: their passwords, tags and permissions."""

from __future__ import annotations

import secrets
from collections.abc import Sequence

from salt_g.errors import CommandExecutionError
from salt_g.modules.rabbitmq._ctl import ctl, listed

#: Number of random bytes in the temporary password of a user without one.
_RANDOM_BYTES = 24

Runas = str | None


def list_users(runas: Runas = None) -> dict[str, list[str]]:
    """Return {user: tags}.

    Example::

        salt-g rabbitmq.list_users
    """
    return {row["user"]: list(row["tags"]) for row in listed("list_users", runas=runas)}


def user_exists(name: str, runas: Runas = None) -> bool:
    """Return whether a user of this name exists.

    Example::

        salt-g rabbitmq.user_exists shop
    """
    return name in list_users(runas)


def add_user(name: str, password: str | None = None, runas: Runas = None) -> dict[str, str]:
    """Add a user; without a password, password logins are not possible.

    Example::

        salt-g rabbitmq.add_user shop secret
    """
    printed = ctl("add_user", name, stdin=f"{_word(password)}\n", runas=runas)
    if password is None:
        try:
            clear_password(name, runas)
        except CommandExecutionError:
            delete_user(name, runas)
            raise
    return {"Added": printed}


def delete_user(name: str, runas: Runas = None) -> dict[str, str]:
    """Remove a user.

    Example::

        salt-g rabbitmq.delete_user shop
    """
    return {"Deleted": ctl("delete_user", name, runas=runas)}


def change_password(name: str, password: str, runas: Runas = None) -> dict[str, str]:
    """Change the password of a user.

    Example::

        salt-g rabbitmq.change_password shop secret
    """
    return {"Password Changed": ctl("change_password", name, stdin=f"{_word(password)}\n", runas=runas)}


def clear_password(name: str, runas: Runas = None) -> dict[str, str]:
    """Clear the password, so that the user cannot log in with one.

    Example::

        salt-g rabbitmq.clear_password shop
    """
    return {"Password Cleared": ctl("clear_password", name, runas=runas)}


def check_password(name: str, password: str, runas: Runas = None) -> bool:
    """Return whether `password` is the user's password.

    Raises CommandExecutionError if the server does not respond.

    Example::

        salt-g rabbitmq.check_password shop secret
    """
    try:
        ctl("authenticate_user", name, stdin=f"{_word(password)}\n", runas=runas)
    except CommandExecutionError as exc:
        if "failed to authenticate user" in str(exc) or "invalid credentials" in str(exc):
            return False
        raise
    return True


def set_user_tags(name: str, tags: str | Sequence[str], runas: Runas = None) -> dict[str, str]:
    """Set the tags of a user, replacing the present ones.

    Example::

        salt-g rabbitmq.set_user_tags shop administrator
    """
    words = [tags] if isinstance(tags, str) else list(tags)
    return {"Tag(s) set": ctl("set_user_tags", name, *map(str, words), runas=runas)}


def set_permissions(
    vhost: str, user: str, conf: str = ".*", write: str = ".*", read: str = ".*", runas: Runas = None
) -> dict[str, str]:
    """Set a user's permissions: regular expressions for configure, write and read.

    Example::

        salt-g rabbitmq.set_permissions / shop 'shop.*' 'shop.*' '.*'
    """
    words = ("-p", vhost, user, conf, write, read)
    return {"Permissions Set": ctl("set_permissions", *words, runas=runas)}


def list_permissions(vhost: str, runas: Runas = None) -> dict[str, dict[str, str]]:
    """Return {user: {"configure", "write", "read"}} of a virtual host.

    Example::

        salt-g rabbitmq.list_permissions /
    """
    return {row.pop("user"): row for row in listed("list_permissions", "-p", vhost, runas=runas)}


def list_user_permissions(name: str, runas: Runas = None) -> dict[str, dict[str, str]]:
    """Return {virtual host: {"configure", "write", "read"}} of a user.

    Example::

        salt-g rabbitmq.list_user_permissions shop
    """
    return {row.pop("vhost"): row for row in listed("list_user_permissions", name, runas=runas)}


def _word(password: str | None) -> str:
    """Return the password, or a random one for None; raise CommandExecutionError for several lines."""
    word = secrets.token_urlsafe(_RANDOM_BYTES) if password is None else str(password)
    if "\n" in word:
        raise CommandExecutionError("a RabbitMQ password must be a single line")
    return word

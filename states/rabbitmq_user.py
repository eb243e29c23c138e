"""States of RabbitMQ users: passwords, tags and permissions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from salt_g.api import call, opts
from salt_g.shapes import StateReturn
from salt_g.states._outcome import as_wanted, changed, would_change
from salt_g.states._rabbitmq import needs, refusals_as_results

_KINDS = ("configure", "write", "read")

#: [{virtual host: [configure, write, read]}, ...], each permission a regular expression.
Permissions = Iterable[Mapping[str, Sequence[str]]]


def __virtual__() -> bool | tuple[bool, str]:
    return needs("rabbitmq.user_exists")


@refusals_as_results
def present(
    name: str,
    password: str | None = None,
    force: bool = False,
    tags: str | Sequence[str] | None = None,
    perms: Permissions = (),
    runas: str | None = None,
) -> StateReturn:
    """Ensure that a user exists with this password, these tags and these permissions.

    `force` sets the password even if it is already the current one, and removes it if none is given. `tags`
    is a list or space-separated text. `perms` is a list of {virtual host: [configure, write, read]}, each
    permission a regular expression; other virtual hosts are not changed.

    Example::

        salt-g state.single rabbitmq_user.present shop password=secret perms="[{'/': ['.*', '.*', '.*']}]"
    """
    known = call("rabbitmq.list_users", runas=runas).get(name)
    if known is None and opts["test"]:
        return would_change(name, f"User '{name}' is set to be created.", {"user": {"old": "", "new": name}})
    is_set = password is None or known is None or call("rabbitmq.check_password", name, password, runas=runas)
    if known is not None and is_set and not (force or perms or tags):
        return as_wanted(name, f"User '{name}' is already present.")
    changes: dict[str, Any] = {}
    if known is None:
        call("rabbitmq.add_user", name, password, runas=runas)
        changes["user"] = {"old": "", "new": name}
    elif force or not is_set:
        changes["password"] = _set_password(name, password, runas)
    changes |= _set_tags(name, known or [], tags, runas)
    changes |= _set_permissions(name, perms, runas)
    if not changes:
        return as_wanted(name, f"'{name}' is already in the desired state.")
    if opts["test"]:
        return would_change(name, f"Configuration for '{name}' will change.", changes)
    return changed(name, f"'{name}' was configured.", changes)


@refusals_as_results
def absent(name: str, runas: str | None = None) -> StateReturn:
    """Ensure that the user does not exist.

    Example::

        salt-g state.single rabbitmq_user.absent shop
    """
    if not call("rabbitmq.user_exists", name, runas=runas):
        return as_wanted(name, f"The user '{name}' is not present.")
    changes = {"name": {"old": name, "new": ""}}
    if opts["test"]:
        return would_change(name, f"The user '{name}' will be removed.", changes)
    call("rabbitmq.delete_user", name, runas=runas)
    return changed(name, f"The user '{name}' was removed.", changes)


def _act(function: str, *args: Any, runas: str | None) -> None:
    if not opts["test"]:
        call(function, *args, runas=runas)


def _set_password(name: str, password: str | None, runas: str | None) -> dict[str, str]:
    if password is None:
        _act("rabbitmq.clear_password", name, runas=runas)
        return {"old": "Removed password.", "new": ""}
    _act("rabbitmq.change_password", name, password, runas=runas)
    return {"old": "", "new": "Set password."}


def _set_tags(
    name: str, known: list[str], tags: str | Sequence[str] | None, runas: str | None
) -> dict[str, Any]:
    if tags is None:
        return {}
    wanted = tags.split() if isinstance(tags, str) else list(tags)
    if set(wanted) == set(known):
        return {}
    _act("rabbitmq.set_user_tags", name, wanted, runas=runas)
    return {"tags": {"old": known, "new": wanted}}


def _set_permissions(name: str, perms: Permissions, runas: str | None) -> dict[str, Any]:
    wanted = {
        vhost: dict(zip(_KINDS, map(str, words), strict=True))
        for each in perms or ()
        for vhost, words in each.items()
    }
    if not wanted:
        return {}
    known = call("rabbitmq.list_user_permissions", name, runas=runas)
    differing = {vhost: words for vhost, words in wanted.items() if known.get(vhost) != words}
    for vhost, words in differing.items():
        _act("rabbitmq.set_permissions", vhost, name, *words.values(), runas=runas)
    # Stock's form: the old permissions without their virtual host.
    old = {kind: word for vhost in differing for kind, word in known.get(vhost, {}).items()}
    returned: dict[str, Any] = {"old": old, "new": differing} if old else {"new": differing}
    return {"perms": returned} if differing else {}

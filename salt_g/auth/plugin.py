"""Adapter for users' modules of external authentication (`_auth`).

Shapes: a module has `auth(username, password, ...)`, which returns whether the login is valid. It can have
`groups(username, ...)` and `acl(username, ...)`, which return lists (or None from `acl` to use the settings),
and `process_acl(permissions, opts)`, which returns the final permissions. A function gets the fields of the
login that its parameters name.
Source: stock docs, "External Authentication System".
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from salt_g.loader.part_plugins import PartPlugins
from salt_g.shapes import Opts

#: Fields of a load that do not belong to a login.
_NOT_OF_LOGINS = frozenset(
    ("arg", "cmd", "eauth", "fun", "id", "jid", "key", "kwarg", "kwargs", "ret", "tgt", "tgt_type", "user")
)


class Checker:
    """Checker that calls a user's module, for one login with the fields of `load`."""

    def __init__(self, opts: Opts, plugins: PartPlugins, name: str, load: Mapping[str, Any]) -> None:
        self._opts = opts
        self._plugins = plugins
        self._name = name
        self._fields = {key: value for key, value in load.items() if key not in _NOT_OF_LOGINS}

    def is_right(self, username: str, password: str) -> bool:
        """Return whether `auth` accepts the login."""
        return bool(self._called("auth"))

    def groups(self, username: str) -> list[str]:
        """Return the result of `groups`, or [] if the module does not have that function."""
        found = self._called("groups")
        return [str(group) for group in found] if isinstance(found, (list, tuple, set)) else []

    def permissions(self, username: str, password: str) -> list[Any] | None:
        """Return the result of `acl`, or None if the module does not have that function."""
        found = self._called("acl")
        return list(found) if isinstance(found, (list, tuple)) else None

    def processed(self, permissions: list[Any]) -> list[Any]:
        """Return the permissions as changed by `process_acl`, if the module has that function."""
        name = f"{self._name}.process_acl"
        if not self._plugins.has(name):
            return permissions
        return list(self._plugins.call(name, permissions, self._opts))

    def _called(self, function: str) -> Any:
        name = f"{self._name}.{function}"
        if not self._plugins.has(name):
            return None
        return self._plugins.call(name, **self._plugins.named(name, self._fields))

"""Who may publish jobs and call runners.

Why its own file: one place decides, for every way in which a command can come.
Shapes: a refusal carries the map that stock's clients understand.
Source: wire specification, section 10.1; security property 11.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any, NamedTuple

from salt_g.errors import SaltGError
from salt_g.master.local_keys import LocalKeys


class Caller(NamedTuple):
    """Where a command comes from: an address, or for the local socket the user id of the peer."""

    address: str = ""
    uid: int | None = None


class Allowed(NamedTuple):
    """Who a command is done for; `auth_list` is what eauth gave them."""

    user: str
    auth_list: list[Any] = []


class Refused(SaltGError):
    """A command that its caller may not give; `reply` is what the caller is told."""

    def __init__(self, reply: Any, reason: str) -> None:
        self.reply = reply
        super().__init__(reason)


class Permits:
    """The rules of this master."""

    def __init__(self, opts: Mapping[str, Any], local_keys: LocalKeys) -> None:
        self._opts = opts
        self._local_keys = local_keys

    def check_publish(self, load: Mapping[str, Any], caller: Caller) -> Allowed:
        """Return who publishes this job; raises Refused."""
        error = {"name": "AuthenticationError", "message": "Authentication error occurred."}
        return self._check_key(load, {"error": error}, caller)

    def check_call(self, kind: str, load: Mapping[str, Any], caller: Caller) -> Allowed:
        """Return who calls a function of `kind` (runner, wheel); raises Refused."""
        message = 'Authentication failure of type "user" occurred'
        return self._check_key(
            load, {"error": {"name": "UserAuthenticationError", "message": message}}, caller
        )

    def _check_key(self, load: Mapping[str, Any], reply: Any, caller: Caller) -> Allowed:
        owner = self._local_keys.user_of(load.get("key"))
        if caller.uid is not None and caller.uid in (0, os.getuid()):
            owner = self._local_keys.owner
        if owner is None or owner != self._local_keys.owner:
            raise Refused(reply, "no key of a user of this master")
        user = load.get("user")
        return Allowed(user if isinstance(user, str) and user else owner)

"""Commands for scoped tokens: users manage their own through a front end, root manages all.

Shapes: `tokens` -> {tokens: [...]}; `token_make` {label, allow, on, lifetime, cidr}, from root also
{owner, eauth} -> {made}; `token_revoke` {id} -> {revoked}. A problem is {error: text}.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from salt_g.auth.logins import Login, Logins
from salt_g.auth.scoped_tokens import PRESET, ScopedTokens, shown
from salt_g.errors import SaltGError
from salt_g.master.calls.authorization import CommandCaller
from salt_g.master.calls.clear_commands import Serve
from salt_g.shapes.loads import LoadFields

_OVER = {"refused": "this login is over", "needs": "login"}
_LIMITED = {"refused": "a scoped token cannot list, make or revoke tokens", "needs": "right"}


class TokenCommands:
    """Handler of the commands for scoped tokens."""

    def __init__(self, logins: Logins, scoped: ScopedTokens) -> None:
        self._logins = logins
        self._scoped = scoped

    def of_users(self) -> Mapping[str, Serve]:
        """Return the commands of front ends."""
        return {
            "tokens": self._for_user(lambda load, user: {"tokens": self._scoped.list(*_who(user))}),
            "token_make": self._for_user(lambda load, user: self._make(load, *_who(user))),
            "token_revoke": self._for_user(
                lambda load, user: {"revoked": self._scoped.revoke(str(load.get("id")), *_who(user))}
            ),
        }

    def of_root(self) -> Mapping[str, Callable[[LoadFields], Any]]:
        """Return the commands of the local socket."""
        return {
            "tokens": lambda load: {"tokens": self._scoped.list()},
            "token_make": self._make_for,
            "token_revoke": lambda load: {"revoked": self._scoped.revoke(str(load.get("id")))},
        }

    def _for_user(self, serve: Callable[[LoadFields, Login], Any]) -> Serve:
        def command(load: LoadFields, caller: CommandCaller) -> Any:
            login = self._logins.by_token(load.get("token"), caller.source)
            if login is None:
                return _OVER
            return _LIMITED if login.limits is not None else serve(load, login)

        return command

    def _make_for(self, load: LoadFields) -> Any:
        """Make a token for a user of `external_auth`; `eauth` may be omitted if only one module fits."""
        user, module = str(load.get("owner")), str(load.get("eauth") or "")
        known = [name for name in self._logins.modules if self._logins.permissions_of(name, user)]
        if module:
            known = [name for name in known if name == module]
        if len(known) != 1:
            if not known:
                return {"error": f"external_auth gives {user} no permissions; name a user who has some"}
            names = ", ".join(known)
            return {"error": f"external_auth gives {user} permissions in {names}; name one with --eauth"}
        return self._make(load, user, known[0])

    def _make(self, load: LoadFields, user: str, module: str) -> Any:
        allow, cidr = load.get("allow"), load.get("cidr") or []
        lifetime = load.get("lifetime", PRESET)
        if not isinstance(allow, list) or not isinstance(cidr, list):
            return {"error": "allow and cidr must be lists"}
        if not isinstance(lifetime, (int, float)):
            return {"error": "lifetime must be a number of seconds"}
        try:
            made = self._scoped.make(
                user,
                module,
                label=str(load.get("label")),
                allow=allow,
                on=str(load.get("on") or "*"),
                lifetime=lifetime,
                cidr=cidr,
            )
        except SaltGError as exc:
            return {"error": str(exc)}
        return {"made": shown(made)}


def _who(login: Login) -> tuple[str, str]:
    return login.user, login.module

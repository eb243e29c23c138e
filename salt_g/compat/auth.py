"""Stock's `salt.auth`: tokens of a master, for programs on the master's machine."""

from __future__ import annotations

import getpass
import os
from collections.abc import Mapping
from typing import Any

from salt_g.client.connect import open_link, user_name
from salt_g.compat.refusal import refuse
from salt_g.process import disk

#: Time limit for the master's check of a password (s).
_TIMEOUT = 60.0
_ADVICE = "call a function with the credentials, or `Resolver.mk_token`; the master checks them"


class Resolver:
    """Login of a program's user; the running master checks the credentials."""

    def __init__(self, opts: Mapping[str, Any]) -> None:
        self.opts = opts

    def cli(self, eauth: str | None) -> dict[str, str]:
        """Return {username, password}, or {} without `eauth`; ask on the terminal for missing values."""
        if not eauth:
            print("External authentication system has not been specified")
            return {}
        username = self.opts.get("username") or input("username: ") or getpass.getuser()
        return {"username": username, "password": self.opts.get("password") or getpass.getpass("password: ")}

    def token_cli(self, eauth: str, load: Mapping[str, Any]) -> dict[str, Any]:
        """Create a token, store it in the file `token_file` and return its record, {} if the login fails."""
        made = self.mk_token({**load, "eauth": eauth})
        if made.get("token"):
            kept = self.opts.get("token_file") or os.path.join(os.path.expanduser("~"), ".salt_token")
            disk.write_whole(str(kept), made["token"])
        return made

    def mk_token(self, load: Mapping[str, Any]) -> dict[str, Any]:
        """Create a token for these credentials and return its record, {} if the login fails."""
        return self._asked({**load, "cmd": "mk_token"})

    def get_token(self, token: str) -> dict[str, Any]:
        """Return the record of a token, or {} if the token is invalid."""
        return self._asked({"cmd": "get_token", "token": token})

    def _asked(self, load: Mapping[str, Any]) -> dict[str, Any]:
        link = open_link(dict(self.opts))
        try:
            reply = link.ask(dict(load), timeout=_TIMEOUT)
        finally:
            link.close()
        return dict(reply) if isinstance(reply, Mapping) else {}


class LoadAuth:
    """Tokens of a running master."""

    def __init__(self, opts: Mapping[str, Any], ckminions: Any = None) -> None:
        self.opts = opts
        self._resolver = Resolver(opts)

    def __enter__(self) -> LoadAuth:
        return self

    def __exit__(self, *exc: object) -> None:
        """Do nothing, because no connection stays open between calls."""

    def mk_token(self, load: Mapping[str, Any]) -> dict[str, Any]:
        """Create a token for these credentials and return its record, {} if the login fails."""
        return self._resolver.mk_token(load)

    def get_tok(self, tok: str) -> dict[str, Any]:
        """Return the record of a token, or {} if the token is invalid."""
        return self._resolver.get_token(tok)

    get_auth_list = refuse("salt.auth.LoadAuth.get_auth_list", _ADVICE)
    time_auth = authenticate_eauth = refuse("salt.auth.LoadAuth.authenticate_eauth", _ADVICE)


class AuthUser:
    """A user who calls the master."""

    def __init__(self, user: str) -> None:
        self.user = user

    def is_sudo(self) -> bool:
        """Return whether the user acts through sudo, which is written `sudo_NAME`."""
        return self.user.startswith("sudo_")

    def is_running_user(self) -> bool:
        """Return whether this is the user of the current process."""
        return self.user == user_name()

    def sudo_name(self) -> str:
        """Return the part of the name after `sudo_`, '' if there is none."""
        return self.user.partition("sudo_")[2]


__all__ = ["AuthUser", "LoadAuth", "Resolver"]

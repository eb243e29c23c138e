"""External authentication: does a user's password fit, and what may that user do?

Why its own file: modules (`pam.py`, `file.py`, ...) only say yes or no; who may log in at all, the waits,
groups, permissions and tokens are the same for each.
Shapes: `external_auth` is {module: {user or glob or 'group%' or '*': [permission, ...], '^option': value}}.
Source: stock's documentation of external authentication; security property 11.
"""

from __future__ import annotations

import importlib
import logging
from collections.abc import Mapping
from typing import Any, NamedTuple, Protocol

from salt_g.auth.delays import Delays
from salt_g.auth.tokens import Tokens
from salt_g.errors import SaltGError
from salt_g.keys.policy import matches

log = logging.getLogger(__name__)

#: {name in the settings: file of this package}
MODULES = {
    "file": "file",
    "ldap": "ldap",
    "pam": "pam",
    "rest": "rest",
    "sharedsecret": "sharedsecret",
}
#: Longest user name and password that are looked at, in characters.
_MAX_NAME, _MAX_PASSWORD = 256, 4096


class Module(Protocol):
    """One way to check a password; both functions may wait, and raise SaltGError or OSError."""

    def is_right(self, username: str, password: str) -> bool:
        """Return whether the password is that of the user."""

    def groups(self, username: str) -> list[str]:
        """Return the groups of a user."""

    def permissions(self, username: str, password: str) -> list[Any] | None:
        """Return permissions that the module itself knows of, None to go by the settings."""


class Login(NamedTuple):
    """Somebody who proved who they are, and what they may do."""

    user: str
    permissions: list[Any]
    module: str
    groups: list[str] = []


class Logins:
    """The logins of one master."""

    def __init__(self, opts: Mapping[str, Any], tokens: Tokens, delays: Delays) -> None:
        self._opts = opts
        self._external: Mapping[str, Any] = opts["external_auth"] or {}
        self._tokens = tokens
        self._delays = delays
        for name in self._external:
            if name not in MODULES:
                log.error("external_auth: there is no module %r; there are: %s", name, ", ".join(MODULES))

    def by_password(self, load: Mapping[str, Any], source: str) -> Login | None:
        """Return who logs in with `eauth`, `username` and `password`; None, after a wait, for a failure."""
        name = _counted_as(load.get("username"))
        with self._delays.turn(source, name) as has_turn:
            began = self._delays.now()
            login = self._checked(load) if has_turn else None
            if login is None and has_turn:
                log.warning("a login from %s failed", source)
                self._delays.failed(source, began, name)
        if login is not None:
            self._delays.succeeded(source, name)
        return login

    def by_token(self, token: object, source: str) -> Login | None:
        """Return who a token stands for; None, after a wait, when it stands for nobody."""
        kept = self._tokens.get(token)
        if kept and kept.get("eauth") in self._external:
            module, user, groups = kept["eauth"], str(kept["name"]), list(kept.get("groups") or ())
            if self._opts["keep_acl_in_token"] and kept.get("auth_list") is not None:
                return Login(user, kept["auth_list"], module, groups)
            return Login(user, self._granted(module, user, groups), module, groups)
        with self._delays.turn(source) as has_turn:
            if has_turn:
                log.warning("a token from %s is not one of ours, or too old", source)
                self._delays.failed(source, self._delays.now())
        return None

    def about_token(self, token: object, source: str) -> dict[str, Any]:
        """Return what a token stands for, {} after a wait when it stands for nothing."""
        return self._tokens.get(token) if self.by_token(token, source) is not None else {}

    def end_token(self, token: object) -> bool:
        """End a token; return whether there was one."""
        return self._tokens.remove(token)

    def make_token(self, load: Mapping[str, Any], source: str) -> dict[str, Any]:
        """Return a new token and what it stands for, {} when the login fails."""
        login = self.by_password(load, source)
        if login is None:
            return {}
        about: dict[str, Any] = {"name": login.user, "eauth": login.module}
        if self._opts["keep_acl_in_token"]:
            about["auth_list"] = login.permissions
        if login.groups:
            about["groups"] = login.groups
        return self._tokens.make(self._lifetime(load, login), about)

    def _lifetime(self, load: Mapping[str, Any], login: Login) -> float:
        """Return how long a token lasts: what its user asks for, if that user may."""
        allowed = self._opts["token_expire_user_override"]
        if isinstance(allowed, Mapping):
            allowed = login.user in (allowed.get(login.module) or ())
        asked = load.get("token_expire")
        if allowed and isinstance(asked, (int, float)) and not isinstance(asked, bool) and asked > 0:
            return float(asked)
        return float(self._opts["token_expire"])

    def _checked(self, load: Mapping[str, Any]) -> Login | None:
        name, username, password = load.get("eauth"), load.get("username"), load.get("password")
        if not (isinstance(name, str) and name in self._external and name in MODULES):
            return None
        if not (isinstance(username, str) and isinstance(password, str)):
            return None
        if not 0 < len(username) <= _MAX_NAME or len(password) > _MAX_PASSWORD or "\0" in username + password:
            return None
        try:
            module = self._module(name)
            if not module.is_right(username, password):
                return None
            groups = module.groups(username)
            permissions = module.permissions(username, password)
        # A module and its library are plugins: whatever they raise, who logs in hears the same after the same
        # wait. What others write into their errors may be the password.
        except Exception as exc:
            told = exc if isinstance(exc, (SaltGError, OSError)) else type(exc).__name__
            log.error("external_auth: module %s cannot check a login: %s", name, told)
            return None
        granted = self._granted(name, username, groups) if permissions is None else permissions
        return Login(username, granted, name, groups)

    def _module(self, name: str) -> Module:
        # Late: a master without external authentication loads none of them.
        found = importlib.import_module(f"salt_g.auth.{MODULES[name]}")
        module: Module = found.Checker(self._opts, self._external[name] or {})
        return module

    def _granted(self, module: str, user: str, groups: list[str]) -> list[Any]:
        """Return what the settings give a user by name and groups; `*` is for those that no name means."""
        entries: Mapping[str, Any] = self._external.get(module) or {}
        permissive = bool(self._opts["permissive_acl"])
        granted: list[Any] = []
        is_named = False
        for pattern, permissions in entries.items():
            pattern = str(pattern)
            if pattern.startswith("^") or (pattern == "*" and not permissive):
                continue
            if pattern.endswith("%"):
                fits = pattern[:-1] in groups
            else:
                fits = matches(user, pattern)
                is_named = is_named or fits
            if fits:
                granted += _listed(permissions)
        if not (permissive or is_named) and "*" in entries:
            granted += _listed(entries["*"])
        return granted


def _counted_as(username: object) -> str:
    """Return the name that a failed login counts for; those that nobody can have count together."""
    return username if isinstance(username, str) and len(username) <= _MAX_NAME else ""


def _listed(value: Any) -> list[Any]:
    return list(value) if isinstance(value, (list, tuple)) else [value]

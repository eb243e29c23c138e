"""External authentication: password checks by modules, and permissions and tokens of the users.

Modules (`pam.py`, `file.py`, ..., and users' modules through `plugin.py`) only check passwords; permission to
log in, delays, permissions and tokens are handled here for all modules.
Shapes: `external_auth` is {module: {user or glob or 'group%' or '*': [permission, ...], '^option':
value}}.
Source: stock's documentation of external authentication; security property 11.
"""

from __future__ import annotations

import importlib
import logging
from collections.abc import Mapping
from functools import cached_property
from typing import Any, NamedTuple, Protocol

from salt_g.auth import plugin
from salt_g.auth.delays import Delays
from salt_g.auth.folded_names import folded
from salt_g.auth.scoped_tokens import ScopedTokens
from salt_g.auth.tokens import Tokens
from salt_g.errors import SaltGError
from salt_g.loader.part_plugins import PartPlugins
from salt_g.regex.name_patterns import matches_name
from salt_g.shapes import Opts
from salt_g.shapes.loads import LoadFields, TokenContent

log = logging.getLogger(__name__)

#: {name in the settings: module of this package}
MODULES = {
    "auto": "auto",
    "file": "file",
    "ldap": "ldap",
    "oidc": "oidc",
    "pam": "pam",
    "rest": "rest",
    "sharedsecret": "sharedsecret",
}
#: Longest accepted user name and password, in characters.
_MAX_NAME, _MAX_PASSWORD = 256, 4096
#: Longest accepted token that takes the place of a password, in characters, by module.
_MAX_TOKEN = {"oidc": 16 * 1024}


class Module(Protocol):
    """Interface of a password module; its functions may block, and raise SaltGError or OSError."""

    def is_right(self, username: str, password: str) -> bool:
        """Return whether the password is correct for the user."""

    def groups(self, username: str) -> list[str]:
        """Return the groups of a user."""

    def permissions(self, username: str, password: str) -> list[Any] | None:
        """Return permissions that the module determines itself, None to use the settings."""


class Login(NamedTuple):
    """Authenticated user with the user's permissions."""

    user: str
    permissions: list[Any]
    module: str
    groups: list[str] = []
    #: Permissions of a scoped token and its name; None: the login has all permissions of the user.
    limits: list[Any] | None = None
    label: str = ""


class Logins:
    """Service for logins at one master."""

    def __init__(
        self, opts: Opts, tokens: Tokens, delays: Delays, scoped: ScopedTokens | None = None
    ) -> None:
        self._opts = opts
        given: Mapping[str, Any] = opts["external_auth"] or {}
        self._external = {name: users for name, users in given.items() if _is_usable(users)}
        self._malformed = given.keys() - self._external.keys()
        self._tokens = tokens
        self._scoped = scoped
        self._delays = delays
        for name in self._external:
            if not self._is_known(name):
                log.error("external_auth: %s", self._why_unknown(name))
        if "auto" in self._external:
            log.warning("external_auth: auto accepts every password; use it in tests only")

    def by_password(self, load: LoadFields, source: str) -> Login | None:
        """Return the login for `eauth`, `username` and `password`, or None, after a delay, if it fails."""
        name = _counted_as(load.get("username"))
        with self._delays.turn(source, name) as has_turn:
            began = self._delays.now()
            login = self._checked(load) if has_turn else None
            if login is None and has_turn:
                log.warning("a login of %.64r (%.64s) from %s failed", name, load.get("eauth"), source)
                self._delays.failed(source, began, name)
        if login is not None:
            self._delays.succeeded(source, name)
        return login

    def by_token(self, token: object, source: str) -> Login | None:
        """Return the login of a token, or None, after a delay, if the token is invalid."""
        kept = self._content(token, source)
        if kept and kept.get("eauth") in self._external:
            module, user, groups = kept["eauth"], str(kept["name"]), list(kept.get("groups") or ())
            if self._opts["keep_acl_in_token"] and kept.get("auth_list") is not None:
                return Login(user, kept["auth_list"], module, groups)
            permissions = self._of_token(module, user, groups)
            label = str(kept.get("label") or "")
            return Login(user, permissions, module, groups, kept.get("limits"), label)
        with self._delays.turn(source) as has_turn:
            if has_turn:
                log.warning("a token from %s is invalid or expired", source)
                self._delays.failed(source, self._delays.now())
        return None

    def renewed(self, login: Login) -> Login | None:
        """Return a login with its current permissions, or None if its module or token no longer exists."""
        if login.module not in self._external:
            return None
        if login.limits is not None:
            tokens = self._scoped.list(login.user, login.module) if self._scoped else []
            if not any((one["label"], one["limits"]) == (login.label, login.limits) for one in tokens):
                return None
        return login._replace(permissions=self._of_token(login.module, login.user, login.groups))

    def _of_token(self, module: str, user: str, groups: list[str]) -> list[Any]:
        """Return the current permissions of a token's user, from an `_auth` plugin or from the settings."""
        if not self._plugins.has(f"{module}.auth"):
            return self._granted(module, user, groups)
        checker = plugin.Checker(self._opts, self._plugins, module, {"username": user})
        try:
            return self._final(checker, module, user, groups, checker.permissions(user, ""))
        except Exception:  # a plugin call
            log.exception("external_auth: module %s cannot name the permissions of a token", module)
            return []

    def _final(
        self, module: Module, name: str, user: str, groups: list[str], own: list[Any] | None
    ) -> list[Any]:
        """Return the permissions of a user: `own` from the module, or else those in the settings."""
        granted = self._granted(name, user, groups) if own is None else own
        return module.processed(granted) if isinstance(module, plugin.Checker) else granted

    def about_token(self, token: object, source: str) -> TokenContent:
        """Return the content of a token, or {}, after a delay, if the token is invalid."""
        return self._content(token, source) if self.by_token(token, source) is not None else {}

    @property
    def modules(self) -> list[str]:
        """Names of the modules in the settings."""
        return list(self._external)

    def permissions_of(self, module: str, user: str) -> list[Any]:
        """Return the current permissions of a user, without permissions of groups."""
        return self._of_token(module, user, [])

    def _content(self, token: object, source: str) -> TokenContent:
        """Return the content of a login token or scoped token, or {} if it is invalid."""
        return self._tokens.get(token) or (self._scoped.get(token, source) if self._scoped else {})

    def end_token(self, token: object) -> bool:
        """Revoke a token; return whether it existed."""
        return self._tokens.remove(token)

    def make_token(self, load: LoadFields, source: str) -> TokenContent:
        """Log in and return the content of a new token, with the token, or {} if the login fails."""
        login = self.by_password(load, source)
        if login is None:
            return {}
        about: TokenContent = {"name": login.user, "eauth": login.module}
        if self._opts["keep_acl_in_token"]:
            about["auth_list"] = login.permissions
        if login.groups:
            about["groups"] = login.groups
        return self._tokens.make(self._lifetime(load, login), about)

    def _lifetime(self, load: LoadFields, login: Login) -> float:
        """Return the lifetime of a new token: as requested if the user may choose it, else the default."""
        allowed = self._opts["token_expire_user_override"]
        if isinstance(allowed, Mapping):
            allowed = login.user in (allowed.get(login.module) or ())
        asked = load.get("token_expire")
        if allowed and isinstance(asked, (int, float)) and not isinstance(asked, bool) and asked > 0:
            return float(asked)
        return float(self._opts["token_expire"])

    def _checked(self, load: LoadFields) -> Login | None:
        name, username, password = load.get("eauth"), load.get("username"), load.get("password")
        if isinstance(name, str) and name in self._malformed:
            log.error(
                "external_auth: %s is not a mapping of users to permissions; nobody can log in with it", name
            )
        if not (isinstance(name, str) and name in self._external):
            return None
        if not self._is_known(name):
            log.error("external_auth: %s", self._why_unknown(name))
            return None
        if not (isinstance(username, str) and isinstance(password, str)):
            return None
        if not 0 < len(username) <= _MAX_NAME or "\0" in username + password:
            return None
        if len(password) > _MAX_TOKEN.get(name, _MAX_PASSWORD):
            return None
        try:
            module = self._module(name, load)
            if not module.is_right(username, password):
                return None
            groups = module.groups(username)
            permissions = module.permissions(username, password)
            granted = self._final(module, name, username, groups, permissions)
        # A module and its library are plugins: whatever they raise, the caller gets the same answer after
        # the same delay. The text of the error may contain the password.
        except Exception as exc:
            shown = exc if isinstance(exc, (SaltGError, OSError)) else type(exc).__name__
            log.error("external_auth: module %s cannot check a login: %s", name, shown)
            return None
        return Login(username, granted, name, groups)

    @cached_property
    def _plugins(self) -> PartPlugins:
        return PartPlugins(self._opts, "auth")

    def _is_known(self, name: str) -> bool:
        return name in MODULES or self._plugins.has(f"{name}.auth")

    def _why_unknown(self, name: str) -> str:
        reason = self._plugins.why_missing(f"{name}.auth")
        if reason:
            return f"module {name!r} cannot be used: {reason}"
        return (
            f"unknown module {name!r}; available: {', '.join(MODULES)}; one in _auth is copied by"
            " `salt-g run saltutil.sync_auth` and loaded at the next start of the master"
        )

    def _module(self, name: str, load: LoadFields) -> Module:
        if self._plugins.has(f"{name}.auth"):
            return plugin.Checker(self._opts, self._plugins, name, load)
        # Imported lazily: a master without external authentication loads no module.
        found = importlib.import_module(f"salt_g.auth.{MODULES[name]}")
        module: Module = found.Checker(self._opts, self._external[name] or {})
        return module

    def _granted(self, module: str, user: str, groups: list[str]) -> list[Any]:
        """Return the permissions of a user by name and groups; `*` applies to users that match no name.

        `*` does not apply to another spelling of a listed name, because it may grant more rights than that
        name.
        """
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
                fits = matches_name(user, pattern)
                is_named = is_named or fits or folded(user) == folded(pattern)
            if fits:
                granted += _listed(permissions)
        if not (permissive or is_named) and "*" in entries:
            granted += _listed(entries["*"])
        return granted


def _is_usable(users: Any) -> bool:
    return users is None or isinstance(users, Mapping)


def _counted_as(username: object) -> str:
    """Return the name under which a failed login is counted; all invalid names are counted as one.

    Spellings that a directory treats as one user are counted together, so that none gives more guesses.
    """
    return folded(username) if isinstance(username, str) and len(username) <= _MAX_NAME else ""


def _listed(value: Any) -> list[Any]:
    return list(value) if isinstance(value, (list, tuple)) else [value]

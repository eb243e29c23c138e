"""Authentication `ldap`, by users and groups of a directory (OpenLDAP, FreeIPA, Active Directory).

Settings: stock's `auth.ldap.*`. With `binddn` and `bindpw`, the user's entry is searched with `filter`;
without `bindpw`, `binddn` is the entry's name, as in `uid={{ username }},ou=people,dc=example,dc=org`. User
input is escaped before it is inserted into a filter or a name.
Errors: AuthModuleError for invalid settings, a missing library or an unusable directory.
Source: stock's documentation of the module.
"""

from __future__ import annotations

import re
import ssl
from collections.abc import Mapping
from typing import Any

from salt_g.errors import AuthModuleError
from salt_g.shapes import Opts

#: Time limits for connecting to the directory and for its answer (s).
_CONNECT, _ANSWER = 10, 20
_DEFAULTS: dict[str, Any] = {
    "accountattributename": "memberUid",
    "activedirectory": False,
    "basedn": "",
    "binddn": "",
    "bindpw": "",
    "filter": "",
    "freeipa": False,
    "group_basedn": "",
    "group_filter": "",
    "groupattribute": "memberOf",
    "groupclass": "posixGroup",
    "groupou": "Groups",
    "no_verify": False,
    "persontype": "person",
    "port": 389,
    "scope": 2,
    "server": "localhost",
    "starttls": False,
    "tls": False,
    "uri": "",
}
_USERNAME = re.compile(r"\{\{\s*username\s*\}\}")
_SCOPES = {0: "BASE", 1: "LEVEL", 2: "SUBTREE"}


class Checker:
    """Checker of passwords against one directory."""

    def __init__(self, opts: Opts, options: Mapping[str, Any]) -> None:
        try:
            # Imported lazily: optional, only masters with this module need it.
            import ldap3  # type: ignore[import-untyped, import-not-found, unused-ignore]
            from ldap3.utils import conv, dn  # type: ignore[import-untyped, import-not-found, unused-ignore]
        except ImportError:
            raise AuthModuleError("ldap", "it needs `pip install salt-g[ldap]`") from None
        self._ldap3, self._conv, self._dns = ldap3, conv, dn
        self._set = {name: opts.get(f"auth.ldap.{name}", value) for name, value in _DEFAULTS.items()}
        if self._set["tls"] and self._set["starttls"]:
            raise AuthModuleError("ldap", "set one of auth.ldap.tls and auth.ldap.starttls, not both")
        if not self._set["binddn"]:
            raise AuthModuleError(
                "ldap", "auth.ldap.binddn must name the user, or an account that searches users"
            )
        self._proven: tuple[str, str] = ("", "")

    def is_right(self, username: str, password: str) -> bool:
        """Return whether the directory accepts this password."""
        # A directory treats a bind without a password as anonymous and accepts it.
        name = self._name_of(username) if password else ""
        if not name:
            return False
        connection = self.connection(name, password)
        try:
            if not self._is_bound(connection):
                return False
        finally:
            connection.unbind()
        self._proven = (name, password)
        return True

    def groups(self, username: str) -> list[str]:
        """Return the names of the user's groups."""
        user = self._conv.escape_filter_chars(username)
        account, kind = self._set["accountattributename"], self._set["groupclass"]
        base = self._set["basedn"]
        if self._set["freeipa"]:
            base, wanted = self._set["group_basedn"], _named(self._set["group_filter"], user)
        elif self._set["activedirectory"]:
            name = self._conv.escape_filter_chars(self._proven[0])
            wanted = f"(&(member={name})(objectClass={kind}))"
        else:
            base = f"ou={self._set['groupou']},{base}" if self._set["groupou"] else base
            wanted = f"(&({account}={user})(objectClass={kind}))"
        found = self._search(base, wanted, "SUBTREE", ["cn"])
        return sorted({str(name) for entry in found for name in entry["attributes"].get("cn", ())})

    def permissions(self, username: str, password: str) -> list[Any] | None:
        """Return None, so that the settings decide."""
        return None

    def connection(self, name: str, password: str) -> Any:
        """Return an unopened connection that will bind as the directory entry `name`."""
        tls = self._ldap3.Tls(validate=ssl.CERT_NONE if self._set["no_verify"] else ssl.CERT_REQUIRED)
        server = self._ldap3.Server(
            self._set["uri"] or self._set["server"],
            port=None if self._set["uri"] else int(self._set["port"]),
            use_ssl=bool(self._set["tls"]) or str(self._set["uri"]).startswith("ldaps://"),
            tls=tls,
            get_info=self._ldap3.NONE,
            connect_timeout=_CONNECT,
        )
        return self._ldap3.Connection(
            server, name, password, auto_referrals=False, receive_timeout=_ANSWER, read_only=True
        )

    def _name_of(self, username: str) -> str:
        """Return the name of the user's entry, or '' if there is none or more than one."""
        if not self._set["bindpw"]:
            return _named(self._set["binddn"], self._dns.escape_rdn(username))
        wanted = _named(self._set["filter"], self._conv.escape_filter_chars(username))
        scope = _SCOPES.get(int(self._set["scope"]), "SUBTREE")
        names = [entry["dn"] for entry in self._search(self._set["basedn"], wanted, scope, [])]
        return names[0] if len(names) == 1 else ""

    def _search(self, base: str, wanted: str, scope: str, attributes: list[str]) -> list[Any]:
        """Return the entries that match a filter, searched as the bind account or as the user."""
        who = (self._set["binddn"], self._set["bindpw"]) if self._set["bindpw"] else self._proven
        connection = self.connection(*who)
        # Stock's library accepts a filter without its parentheses.
        wanted = wanted if wanted.startswith("(") else f"({wanted})"
        try:
            if not self._is_bound(connection):
                raise AuthModuleError("ldap", f"the directory refuses to bind {who[0]!r}")
            connection.search(base, wanted, search_scope=scope, attributes=attributes)
            return [entry for entry in connection.response or () if entry.get("type") == "searchResEntry"]
        except self._ldap3.core.exceptions.LDAPException as exc:
            raise AuthModuleError("ldap", f"the directory cannot be searched: {exc}") from exc
        finally:
            connection.unbind()

    def _is_bound(self, connection: Any) -> bool:
        try:
            connection.open()
            if self._set["starttls"] and not connection.start_tls():
                raise AuthModuleError("ldap", "the directory refuses STARTTLS")
            return bool(connection.bind())
        except self._ldap3.core.exceptions.LDAPException as exc:
            raise AuthModuleError("ldap", f"cannot reach the directory: {exc}") from exc


def _named(template: str, username: str) -> str:
    return _USERNAME.sub(lambda match: username, str(template))

"""Routes of logins: /login, /logout, /token."""

from __future__ import annotations

import ipaddress
from collections.abc import Mapping
from typing import Any

from salt_g.auth.folded_names import folded
from salt_g.http_api import origins
from salt_g.http_api.api_services import Answer, ApiServices, RoutedRequest
from salt_g.http_api.messages import Headers, Refusal
from salt_g.http_api.orders import NO_RIGHT

#: Cookie of a session, and how long a browser keeps it (s), as in stock.
COOKIE, COOKIE_AGE = "session_id", 36_000
#: Fields of a login.
_FIELDS = ("username", "password", "eauth", "token_expire")


def ask_for_login(parts: ApiServices, asked: RoutedRequest) -> Answer:
    """Answer GET /login."""
    return Answer({"status": None, "return": "Please log in"}, 200, [("WWW-Authenticate", "Session")])


def login(parts: ApiServices, asked: RoutedRequest) -> Answer:
    """Answer POST /login: create a session."""
    fields = _one_map(asked.data)
    check_acl(parts.settings.acl, str(fields.get("username")), asked.request.source)
    # A page of another host must not log its visitor in as somebody else.
    has_cookie = origins.is_trusted(asked.request, parts.settings.cors)
    is_tls = asked.request.is_tls
    return begin_session(parts, fields, asked.request.source, is_tls=is_tls, has_cookie=has_cookie)


def begin_session(
    parts: ApiServices, fields: Mapping[str, Any], source: str, *, is_tls: bool, has_cookie: bool = True
) -> Answer:
    """Log in, create a session and return the answer; raise Refusal with 401 if the master refuses the login.

    `has_cookie` adds a cookie with which the browser sends the session token automatically.
    """
    token = _new_token(parts, fields, source)
    if not token:
        raise Refusal(401, "Could not authenticate using provided credentials")
    rights = parts.orders.ask({"cmd": "rights", "token": token["token"]}, source)
    session_token, session = parts.sessions.make(token)
    shown = {
        "token": session_token,
        "expire": session.expire,
        "start": session.start,
        "user": session.user,
        "eauth": session.eauth,
        # SaltGUI counts the keys of `perms`; stock returns an empty map for a user without rights.
        "perms": _sorted(rights.get("permissions") or []) or {},
    }
    headers = [("X-Auth-Token", session_token)]
    if has_cookie:
        headers.append(_cookie(session_token, COOKIE_AGE, is_tls=is_tls))
    return Answer({"return": [shown]}, 200, headers)


def logout(parts: ApiServices, asked: RoutedRequest) -> Answer:
    """Answer POST /logout: end the session and the master's token."""
    parts.sessions.end(asked.user.digest)
    parts.orders.ask({"cmd": "end_token", "token": asked.user.token}, asked.request.source)
    cookie = _cookie("", 0, is_tls=asked.request.is_tls)
    answer = {"return": "Your token has been cleared"}
    if asked.user.eauth == "oidc" and parts.oidc is not None and (url := parts.oidc.end_url()):
        answer["end_session"] = url
    return Answer(answer, 200, [cookie])


def make_token(parts: ApiServices, asked: RoutedRequest) -> Answer:
    """Answer POST /token: create tokens of the master, for use with /run."""
    logins = asked.data if isinstance(asked.data, list) else [asked.data]
    made = []
    for fields in logins:
        if not isinstance(fields, dict) or not all(
            fields.get(name) for name in ("username", "password", "eauth")
        ):
            raise Refusal(400, "a login needs username, password and eauth")
        check_acl(parts.settings.acl, str(fields["username"]), asked.request.source)
        token = _new_token(parts, fields, asked.request.source)
        if not token:
            raise Refusal(401, NO_RIGHT)
        made.append({name: token[name] for name in ("token", "start", "expire", "name", "eauth")})
    return Answer(made)


def _new_token(parts: ApiServices, fields: Mapping[str, Any], source: str) -> dict[str, Any]:
    """Return a new token of the master, {} if the login fails."""
    load = {"cmd": "mk_token", **{name: fields[name] for name in _FIELDS if name in fields}}
    with parts.login_shares.one(source):
        token = parts.orders.ask(load, source)
    return token if isinstance(token, dict) and "token" in token else {}


def _one_map(data: Any) -> dict[str, Any]:
    # If the body contains several logins, the first one counts, as in stock.
    if isinstance(data, list) and data:
        data = data[0]
    if not isinstance(data, dict):
        raise Refusal(400, "a login must be a map with username, password and eauth")
    return data


def _cookie(value: str, age: int, *, is_tls: bool) -> tuple[str, str]:
    secure = "; Secure" if is_tls else ""
    return "Set-Cookie", f"{COOKIE}={value}; Max-Age={age}; Path=/; HttpOnly; SameSite=Strict{secure}"


def _sorted(permissions: list[Any]) -> list[Any]:
    texts = sorted(one for one in permissions if isinstance(one, str))
    return [*texts, *(one for one in permissions if not isinstance(one, str))]


def check_acl(acl: Mapping[str, Any], user: str, source: str) -> None:
    """Raise Refusal if `acl` does not allow a user to log in from an address; without rules, all may."""
    users = acl.get("users")
    if not isinstance(users, Mapping) or not users:
        return
    # A directory may accept other spellings of a user's name, to which the user's restrictions still apply.
    named = {folded(str(name)): name for name in users}
    allowed = users.get(user if user in users else named.get(folded(user), "*")) or []
    if not any(_is_in(source, one) for one in ([allowed] if isinstance(allowed, str) else allowed)):
        raise Refusal(401, "Could not authenticate using provided credentials")


def _is_in(source: str, network: Any) -> bool:
    if network == "*":
        return True
    try:
        return ipaddress.ip_address(source) in ipaddress.ip_network(str(network), strict=False)
    except ValueError:
        return False


def login_headers() -> Headers:
    """Return the headers of a refusal that asks for a login."""
    return [("WWW-Authenticate", "Session")]

"""Routes of logins at an OpenID provider: /oidc/login and /oidc/callback."""

from __future__ import annotations

from typing import TYPE_CHECKING

from salt_g.http_api.api_services import ApiServices, RoutedRequest
from salt_g.http_api.login_routes import begin_session, check_acl
from salt_g.http_api.messages import Headers, Refusal, Response
from salt_g.http_api.negotiation import JSON, prefers_page, to_json
from salt_g.http_api.oidc.browser_ticket import LIFETIME

if TYPE_CHECKING:
    from salt_g.http_api.oidc.provider_login import ProviderLogin

#: Cookie of a login in progress.
COOKIE = "oidc_login"
_PRIVATE: Headers = [("Cache-Control", "no-store"), ("Referrer-Policy", "no-referrer")]


def go_through(parts: ApiServices, asked: RoutedRequest) -> Response:
    """Answer GET /oidc/login and /oidc/callback."""
    if parts.oidc is None:
        raise Refusal(404, "external_auth: oidc is missing or invalid in the master's settings")
    if asked.rest == "login":
        return _send_to_provider(parts.oidc, asked)
    if asked.rest == "callback":
        return _take_back(parts, parts.oidc, asked)
    raise Refusal(404, "logins begin at /oidc/login")


def _send_to_provider(oidc: ProviderLogin, asked: RoutedRequest) -> Response:
    url, ticket = oidc.begin()
    cookie = _cookie(ticket.cookie, LIFETIME, is_tls=asked.request.is_tls)
    return Response(302, b"", [("Location", url), cookie, *_PRIVATE])


def _take_back(parts: ApiServices, oidc: ProviderLogin, asked: RoutedRequest) -> Response:
    """Create a session from the provider's answer; redirect browsers to the page, answer others with JSON."""
    request = asked.request
    user, token = oidc.finish(request.cookie(COOKIE), request.query)
    check_acl(parts.settings.acl, user, request.source)
    answer = begin_session(
        parts, {"username": user, "password": token, "eauth": "oidc"}, request.source, is_tls=request.is_tls
    )
    headers = [*answer.headers, _cookie("", 0, is_tls=request.is_tls), *_PRIVATE]
    if prefers_page(request.header("accept")):
        shown = [one for one in headers if one[0] != "X-Auth-Token"]
        return Response(303, b"", [("Location", oidc.settings.after_login), *shown])
    return Response(200, to_json(answer.data), [("Content-Type", JSON), *headers])


def _cookie(value: str, age: int, *, is_tls: bool) -> tuple[str, str]:
    # SameSite=Lax, because the browser returns from a page of the provider.
    secure = "; Secure" if is_tls else ""
    return "Set-Cookie", f"{COOKIE}={value}; Max-Age={age}; Path=/; HttpOnly; SameSite=Lax{secure}"

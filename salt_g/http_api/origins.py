"""Protection against requests from pages of other hosts, unless a setting lists their origin.

A browser sends cookies with requests from any page, so an order with a cookie must come from our own page.
Source: the headers Origin and Sec-Fetch-Site; Cross-Origin Resource Sharing.
"""

from __future__ import annotations

import socket
import urllib.parse
from collections.abc import Container

from salt_g.http_api.messages import Headers, Refusal, Request, Response
from salt_g.net.own_hosts import is_own_host

_METHODS = "GET, POST, DELETE, OPTIONS"
_HEADERS = "Accept, Authorization, Content-Type, Idempotency-Key, X-Auth-Token, X-Requested-With"
#: How long browsers may cache the answer to a preflight request (s).
_AGE = "600"


def check(request: Request, trusted: Container[str]) -> None:
    """Raise Refusal with 403 for a cookie request from a page of another host that is not in `trusted`."""
    if not is_trusted(request, trusted):
        sender = request.header("origin")[:100] or "other hosts"
        raise Refusal(403, f"orders by cookie are not accepted from pages of {sender}")


def is_trusted(request: Request, trusted: Container[str]) -> bool:
    """Return whether a request comes from no page, from one of our own, or from a `trusted` origin."""
    origin = request.header("origin")
    if origin:
        return origin.rstrip("/") in trusted or _is_own(origin, request.header("host"))
    return request.header("sec-fetch-site") in ("", "same-origin", "none")


def may_fire(request: Request, trusted: Container[str]) -> bool:
    """Return whether a request without a login may fire an event, because no foreign page sent it.

    Without TLS, a page under another host name is not trusted to be ours, because the owner of that name can
    resolve it to this host for a moment (DNS rebinding).
    """
    if not is_trusted(request, trusted):
        return False
    origin = request.header("origin").rstrip("/")
    is_named = not is_own_host(request.header("host"), ("localhost", socket.gethostname().lower()))
    return not (origin.startswith("http://") and is_named and origin not in trusted)


def headers(request: Request, trusted: frozenset[str]) -> Headers:
    """Return the headers that let a trusted page read the answer."""
    origin = request.header("origin").rstrip("/")
    if not origin or origin not in trusted:
        return [("Vary", "Origin")] if trusted else []
    return [
        ("Access-Control-Allow-Origin", origin),
        ("Access-Control-Allow-Credentials", "true"),
        ("Access-Control-Expose-Headers", "X-Auth-Token"),
        ("Vary", "Origin"),
    ]


def preflight(request: Request, trusted: frozenset[str]) -> Response | None:
    """Return the answer to a CORS preflight request; None for other requests."""
    if request.method != "OPTIONS" or not request.header("access-control-request-method"):
        return None
    allowed = headers(request, trusted)
    if request.header("origin").rstrip("/") not in trusted:
        return Response(403, b"", allowed)
    more = [
        ("Access-Control-Allow-Methods", _METHODS),
        ("Access-Control-Allow-Headers", _HEADERS),
        ("Access-Control-Max-Age", _AGE),
    ]
    return Response(204, b"", [*allowed, *more])


def _is_own(origin: str, host: str) -> bool:
    return bool(host) and urllib.parse.urlsplit(origin).netloc.lower() == host.lower()

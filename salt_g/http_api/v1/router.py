"""Dispatch of requests below /v1: route, login, body, handler and error responses.

Shapes: a refusal is {"status", "title", "detail", "hint"}; the hint says what to do, or is ''.
"""

from __future__ import annotations

import http
import json
import math
import re
import urllib.parse
from collections.abc import Sequence
from typing import Any

from salt_g.http_api import origins
from salt_g.http_api.api_services import Answer, ApiServices
from salt_g.http_api.bodies import charset_of, check_depth
from salt_g.http_api.event_routes import of_masters_token
from salt_g.http_api.login_routes import COOKIE
from salt_g.http_api.messages import Refusal, Request, Response
from salt_g.http_api.negotiation import JSON, best, to_json
from salt_g.http_api.orders import NO_RIGHT
from salt_g.http_api.sessions import LoginSession, is_masters_token
from salt_g.http_api.v1.openapi import document
from salt_g.http_api.v1.route import Called, V1Route

_HINTS = {
    401: "log in with POST /login, or send a token",
    403: "ask for the right in external_auth of the master's settings",
    404: "GET /v1/openapi.json lists all routes",
    429: "wait as long as Retry-After says",
    503: "look at the master: systemctl status salt-master",
    504: "ask again, or raise rest_timeout",
}
_PREFIX = "/v1"
_BEARER = re.compile(r"bearer +(\S+)", re.I)


def is_below(path: str) -> bool:
    """Return whether a path is /v1 or below it."""
    return path == _PREFIX or path.startswith(f"{_PREFIX}/")


class Router:
    """Router for a table of routes."""

    def __init__(self, parts: ApiServices, routes: Sequence[V1Route]) -> None:
        self._parts = parts
        self._routes = routes
        self._document = to_json(document(routes))

    def answer(self, request: Request, path: str) -> Response:
        """Return the response to a request; raise Refusal or another SaltGError if it fails."""
        path = path.removeprefix(_PREFIX).rstrip("/")
        if path == "/openapi.json":
            if request.method not in ("GET", "HEAD"):
                raise _wrong_method(["GET, HEAD"])
            return Response(200, self._document, [("Content-Type", JSON)])
        route, names = self._find(request, path)
        # The login is checked first, so that clients without one learn nothing else about their request.
        session = None if route.is_open else self._session(request, route)
        _check_names(request)
        query = route.read_query(request.query)
        kind = route.kind.partition(";")[0]
        if not best(request.header("accept"), (kind,)):
            raise Refusal(406, f"the answer is only available as {kind}; accept that type")
        data = _body(request) if route.body is not None else None
        called = Called(self._parts, request, names, query, data, session)
        try:
            answer = self._run(route, called)
        except Refusal as exc:
            raise self._exact(exc, called) from exc
        if isinstance(answer, Response):
            return answer
        headers = [("Content-Type", JSON), ("Cache-Control", "no-store"), *answer.headers]
        return Response(answer.status, to_json(answer.data), headers)

    def _run(self, route: V1Route, called: Called) -> Answer | Response:
        if called.session is None:
            return route.handler(called)
        with self._parts.order_shares.one(called.session.user):
            return route.handler(called)

    def _find(self, request: Request, path: str) -> tuple[V1Route, dict[str, str]]:
        method = "GET" if request.method == "HEAD" else request.method
        found = [
            (route, names) for route in self._routes if (names := route.pattern.fullmatch(path)) is not None
        ]
        # A route with an action such as `:apply` wins over one that would read the action as part of a name.
        found = [one for one in found if one[0].is_action] or found
        for route, names in found:
            if route.method == method:
                return route, names.groupdict()
        if found:
            raise _wrong_method(["GET, HEAD" if one.method == "GET" else one.method for one, _ in found])
        raise Refusal(404, "there is no such route below /v1")

    def _session(self, request: Request, route: V1Route) -> LoginSession:
        """Return the session named in a header or else in the cookie of a request.

        Raise Refusal with 401 if there is none, 403 for a cookie sent by a page of another host.
        """
        bearer = _BEARER.fullmatch(request.header("authorization"))
        token = request.header("x-auth-token") or (bearer[1] if bearer else "")
        if is_masters_token(token):
            headers = {**request.headers, "x-auth-token": token}
            return of_masters_token(self._parts, request._replace(headers=headers))
        session = self._parts.sessions.get(token or request.cookie(COOKIE))
        if session is None:
            raise Refusal(401, NO_RIGHT)
        if not token and route.method != "GET":
            origins.check(request, self._parts.settings.cors)
        return session

    def _exact(self, refusal: Refusal, called: Called) -> Refusal:
        """Return the refusal, with 403 in place of 401 if the login is valid and only a right is missing."""
        if refusal.status != 401 or called.session is None:
            return refusal
        known = self._parts.orders.ask({"cmd": "rights", "token": called.user.token}, called.request.source)
        if not isinstance(known, dict) or "permissions" not in known:
            return refusal
        return Refusal(403, "this user may not do this")


def _wrong_method(allowed: Sequence[str]) -> Refusal:
    listed = ", ".join(allowed)
    return Refusal(405, f"this path allows {listed}", [("Allow", listed)])


def problem(refusal: Refusal) -> Response:
    """Return the response to a refused request."""
    # A wheel function called with wrong arguments appends its usage to the error.
    text = str(refusal).partition("\n\nUsage:")[0].strip()
    detail, _, hint = text.partition("; ")
    body = {
        "status": refusal.status,
        "title": http.HTTPStatus(refusal.status).phrase,
        "detail": detail,
        "hint": hint or _HINTS.get(refusal.status, ""),
    }
    return Response(refusal.status, json.dumps(body).encode(), [("Content-Type", JSON), *refusal.headers])


def _body(request: Request) -> object:
    kind = request.header("content-type").partition(";")[0].strip().lower()
    if kind != JSON:
        raise Refusal(415, f"a body must have the type {JSON}")
    charset = charset_of(request.header("content-type"))
    try:
        data = json.loads(
            request.body.decode(charset),
            object_pairs_hook=_map_of,
            parse_constant=_number_of,
            parse_float=_number_of,
        )
    except (ValueError, RecursionError) as exc:
        raise Refusal(400, f"the body is not JSON: {str(exc)[:100]}") from None
    check_depth(data)
    return data


def _map_of(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return a JSON object as a dict; raise ValueError for a duplicate key, because parsers differ here."""
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("an object has a duplicate key")
    return found


def _number_of(text: str) -> float:
    """Parse a JSON number; raise ValueError for NaN and infinity, which JSON does not allow."""
    if not math.isfinite(number := float(text)):
        raise ValueError(f"{text[:20]} is not a valid JSON number")
    return number


def _check_names(request: Request) -> None:
    """Raise Refusal for a repeated query parameter, because parsers differ in which value they use."""
    query = request.target.partition("?")[2]
    given = urllib.parse.parse_qsl(query, keep_blank_values=True) if "&" in query else []
    names = [name for name, _ in given]
    if len(set(names)) < len(names):
        raise Refusal(400, "a parameter occurs twice; send each parameter once")

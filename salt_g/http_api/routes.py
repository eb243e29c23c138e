"""Routing of requests to the HTTP API, with the table of stock's routes.

Order of checks: the address, the rate, the route, the login, the body, the format of the answer; then the
handler runs. So a refused request has no effect.
"""

from __future__ import annotations

import hashlib
import logging
import re
import time
from collections.abc import Callable
from typing import Any, NamedTuple

from salt_g.errors import SaltGError
from salt_g.http_api import bodies, event_routes, login_routes, negotiation, order_routes, origins, pages
from salt_g.http_api.api_services import Answer, ApiServices, RoutedRequest
from salt_g.http_api.exchange import refusal_body
from salt_g.http_api.login_routes import COOKIE, login_headers
from salt_g.http_api.messages import Refusal, Request, Response
from salt_g.http_api.oidc import routes as oidc_routes
from salt_g.http_api.orders import NO_RIGHT
from salt_g.http_api.page.files import PageFiles
from salt_g.http_api.sessions import LoginSession, is_masters_token
from salt_g.http_api.v1.router import Router, is_below, problem
from salt_g.http_api.v1.table import ROUTES

log = logging.getLogger(__name__)

#: Route for logins at a provider; it takes precedence over a page, because browsers use it.
_OIDC = "/oidc"
#: Pattern of a token in a path, which other characters may surround.
_TOKEN = re.compile(r"[0-9A-Fa-f]{40,}")
Handler = Callable[[ApiServices, RoutedRequest], Any]


class Route(NamedTuple):
    """Route with handlers by method; methods in `open` need no login.

    With `takes_rest` one path segment may follow, with `takes_path` several.
    """

    path: str
    handlers: dict[str, Handler]
    open: frozenset[str] = frozenset()
    takes_rest: bool = False
    takes_path: bool = False
    #: Whether a token of the master is accepted in place of a session.
    takes_tokens: bool = False
    #: Whether handlers choose the format of their answers, whatever the client accepts.
    is_free: bool = False

    @property
    def allowed(self) -> str:
        """Value of the header Allow."""
        return ", ".join(["GET, HEAD" if name == "GET" else name for name in self.handlers])


def stock_routes(webhook: str, *, hook_is_open: bool, stats_is_open: bool) -> list[Route]:
    """Return the routes of stock's `rest_cherrypy`, and the route of logins at a provider."""
    post, get = frozenset(("POST",)), frozenset(("GET",))
    return [
        Route("/", {"GET": order_routes.welcome, "POST": order_routes.run_orders}, open=get),
        Route("/login", {"GET": login_routes.ask_for_login, "POST": login_routes.login}, open=get | post),
        Route("/logout", {"POST": login_routes.logout}),
        Route(_OIDC, {"GET": oidc_routes.go_through}, open=get, takes_rest=True, is_free=True),
        Route("/token", {"POST": login_routes.make_token}, open=post),
        Route("/run", {"POST": order_routes.run_with_login}, open=post),
        Route(
            "/minions", {"GET": order_routes.show_minions, "POST": order_routes.start_jobs}, takes_rest=True
        ),
        Route("/jobs", {"GET": order_routes.show_jobs}, takes_rest=True),
        Route(
            "/keys",
            {"GET": order_routes.show_keys, "POST": order_routes.make_key},
            open=post,
            takes_rest=True,
            is_free=True,
        ),
        Route("/events", {"GET": event_routes.stream_events}, takes_tokens=True, is_free=True),
        Route("/ws", {"GET": event_routes.open_websocket}, takes_rest=True, is_free=True),
        Route(
            webhook,
            {"POST": event_routes.fire_hook},
            open=post if hook_is_open else frozenset(),
            takes_rest=True,
            takes_path=True,
        ),
        Route("/stats", {"GET": _show_statistics}, open=get if stats_is_open else frozenset()),
    ]


class Routes:
    """Dispatcher of requests to handlers; `answer` never raises."""

    def __init__(self, parts: ApiServices) -> None:
        self._parts = parts
        settings = parts.settings
        routes = stock_routes(
            settings.webhook_path, hook_is_open=settings.webhook_is_open, stats_is_open=settings.stats_is_open
        )
        self._v1 = Router(parts, ROUTES)
        self._own_page = PageFiles() if settings.has_page else None
        self._routes = {route.path: route for route in routes}

    def answer(self, request: Request) -> Response:
        """Return the response to a request."""
        began = time.monotonic()
        self._parts.requests += 1
        try:
            response = self._answer(request)
        except Refusal as exc:
            response = self._refused(request, exc)
        except SaltGError as exc:
            response = self._refused(request, Refusal(500, str(exc)))
        # Guard around one request: an error must not affect other clients.
        except Exception:
            log.exception("%s %s failed", request.method, shown_path(request.path))
            response = self._refused(
                request, Refusal(500, "An unexpected error occurred; the log of the API says more")
            )
        took = (time.monotonic() - began) * 1000
        log.info(
            "%s %s %s: %d in %d ms",
            request.source,
            request.method,
            shown_path(request.path),
            response.status,
            took,
        )
        cors = origins.headers(request, self._parts.settings.cors)
        response.headers.extend(cors)
        return response

    def _refused(self, request: Request, refusal: Refusal) -> Response:
        self._parts.refused += 1
        if is_below(request.path.removeprefix(self._parts.settings.root_prefix.rstrip("/"))):
            return problem(refusal)
        headers = [("Content-Type", negotiation.JSON), *refusal.headers]
        if refusal.status == 401:
            headers += login_headers()
        return Response(refusal.status, refusal_body(refusal), headers)

    def _answer(self, request: Request) -> Response:
        settings = self._parts.settings
        asking = origins.preflight(request, settings.cors)
        if asking is not None:
            return asking
        if settings.allowed_addresses and request.source not in settings.allowed_addresses:
            raise Refusal(403, "Bad IP: this address is not in authorized_ips")
        self._parts.rates.take(self._counted_as(request))
        path = _without_prefix(request.path, settings.root_prefix)
        if is_below(path):
            return self._v1.answer(request, path)
        page = self._page(request, path)
        if page is not None:
            return page
        route, rest = self._find(path)
        method = "GET" if request.method == "HEAD" else request.method
        handler = route.handlers.get(method)
        if handler is None:
            if not route.open:
                # Clients that are not logged in get 401 before 405, as in stock.
                self._session(request, route, method, rest)
            raise Refusal(405, f"{route.path} allows {route.allowed}", [("Allow", route.allowed)])
        session = self._session(request, route, method, rest)
        data = self._data(request) if method == "POST" else None
        kind, encode = (
            ("", negotiation.to_json)
            if self._chooses(route, method)
            else negotiation.encoder(request.header("accept"))
        )
        answer = handler(self._parts, RoutedRequest(request, data, session, rest))
        if isinstance(answer, Response):
            return answer
        assert isinstance(answer, Answer)
        if not kind:
            kind, encode = negotiation.encoder(request.header("accept"))
        headers = [("Content-Type", kind), ("Cache-Control", "private"), *answer.headers]
        return Response(answer.status, encode(answer.data), headers)

    def _data(self, request: Request) -> Any:
        return bodies.decode(request.header("content-type"), request.body, self._parts.turns.pause)

    def _chooses(self, route: Route, method: str) -> bool:
        """Return whether a handler chooses the format of its answer itself."""
        return route.is_free and (method, route.path) != ("GET", "/keys")

    def _find(self, path: str) -> tuple[Route, str]:
        """Return (route, rest of the path); raise Refusal with 404 if no route matches."""
        path = path.rstrip("/") or "/"
        if path in self._routes:
            return self._routes[path], ""
        for route in self._routes.values():
            if not path.startswith(f"{route.path}/"):
                continue
            rest = path[len(route.path) + 1 :]
            if route.takes_rest and (route.takes_path or "/" not in rest):
                return route, rest
        raise Refusal(404, f"there is no route {shown_path(path)[:100]}")

    def _page(self, request: Request, path: str) -> Response | None:
        """Return a file of a page, None for an unknown path."""
        settings = self._parts.settings
        if request.method not in ("GET", "HEAD") or path.startswith(f"{_OIDC}/"):
            return None
        if settings.static and path.startswith(f"{settings.static_path}/"):
            rest = path[len(settings.static_path) :]
            return pages.serve_for_app(
                settings.static, rest, request, settings.logins if settings.app else ()
            )
        if settings.favicon and path == "/favicon.ico":
            return pages.serve_file(settings.favicon, request)
        if settings.app:
            is_page = path == settings.app_path or path.startswith(f"{settings.app_path}/")
            if is_page or negotiation.prefers_page(request.header("accept")):
                return pages.serve_file(settings.app, request)
        if self._own_page is None:
            return None
        if path == "/" and negotiation.prefers_page(request.header("accept")):
            return self._own_page.index(request)
        return self._own_page.file(path, request)

    def _session(self, request: Request, route: Route, method: str, rest: str) -> LoginSession | None:
        """Return the session of a request; raise Refusal with 401 if a required one is missing.

        None: the route needs no login, or the request has a token of the master that the route accepts.
        """
        if method in route.open:
            return None
        session, is_by_cookie = self._found_session(request, rest if route.path == "/ws" else "")
        if session is None:
            if route.takes_tokens and self._has_masters_token(request):
                return None
            raise Refusal(401, NO_RIGHT)
        if is_by_cookie and (method == "POST" or route.path == "/ws"):
            origins.check(request, self._parts.settings.cors)
        return session

    def _found_session(self, request: Request, word: str) -> tuple[LoginSession | None, bool]:
        """Return (session, whether it comes from a cookie); a header takes precedence over the cookie."""
        sessions = self._parts.sessions
        header = request.header("x-auth-token")
        if header:
            return sessions.get(header), False
        if self._parts.settings.token_in_url:
            found = sessions.get(word or request.query.get("token", ""))
            if found is not None:
                return found, False
        return sessions.get(request.cookie(COOKIE)), True

    def _has_masters_token(self, request: Request) -> bool:
        query = request.query.get("token", "") if self._parts.settings.token_in_url else ""
        return is_masters_token(request.header("x-auth-token") or query)

    def _counted_as(self, request: Request) -> str:
        """Return the client for the rate limit: the digest of a valid session, or else the address."""
        token = request.header("x-auth-token") or request.cookie(COOKIE)
        session = self._parts.sessions.get(token) if token else None
        return session.digest if session else request.source


def _show_statistics(parts: ApiServices, asked: RoutedRequest) -> Answer:
    """Answer GET /stats."""
    figures = {
        "Start Time": parts.began,
        "Current Time": time.time(),
        "Total Requests": parts.requests,
        "Refused Requests": parts.refused,
        "Sessions": len(parts.sessions),
        "Event Streams": len(parts.streams),
        "Orders": len(parts.order_shares),
        "Events": parts.events.last,
        "Master": parts.master.is_connected,
    }
    return Answer({"salt-g api": figures})


def shown_path(path: str) -> str:
    """Return a path for the log, with possible tokens replaced by short digests."""
    return _TOKEN.sub(lambda found: f"token-{_short_digest(found[0])}", path)[:500]


def _short_digest(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()[:8]


def _without_prefix(path: str, prefix: str) -> str:
    if prefix == "/":
        return path
    if path == prefix or path.startswith(f"{prefix}/"):
        return path[len(prefix) :] or "/"
    raise Refusal(404, f"routes begin with {prefix}")

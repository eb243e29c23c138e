"""Routes about the client and the API itself: me, health, logins, metrics."""

from __future__ import annotations

import salt_g
from salt_g.http_api.api_services import Answer
from salt_g.http_api.known.sights import sight_of
from salt_g.http_api.messages import Refusal, Response
from salt_g.http_api.v1.route import Called
from salt_g.telemetry.metric_registry import MetricRegistry

#: Content type of metrics, as Prometheus reads them.
METRICS_KIND = "text/plain"


def show_me(called: Called) -> Answer:
    """Answer GET /me: the user and the user's permissions."""
    rights = called.parts.orders.ask({"cmd": "rights", "token": called.user.token}, called.request.source)
    if not isinstance(rights, dict) or "permissions" not in rights:
        raise Refusal(401, "this login is no longer valid")
    limits = rights.get("limits")
    answer = {
        "user": called.user.user,
        "eauth": called.user.eauth,
        "expires": called.user.expire,
        "permissions": rights["permissions"],
        "token": None if limits is None else {"name": str(rights.get("label", "")), "limits": limits},
        "sees_all": sight_of(called.parts, rights, called.request.source).is_full,
    }
    return Answer(answer)


def show_health(called: Called) -> Answer:
    """Answer GET /health: whether a master serves the API."""
    if not called.parts.master.is_connected:
        raise Refusal(503, "no master")
    return Answer({"status": "ok", "version": salt_g.__version__})


def show_logins(called: Called) -> Answer:
    """Answer GET /logins: the modules that a login can name, in the order of the settings."""
    return Answer({"eauth": list(called.parts.settings.logins)})


def show_metrics(called: Called) -> Response:
    """Answer GET /metrics: metrics of this process for Prometheus."""
    parts, registry = called.parts, MetricRegistry()
    registry.counter("salt_g_api_requests_total", "requests", lambda: parts.requests)
    registry.counter("salt_g_api_refused_total", "requests refused", lambda: parts.refused)
    registry.counter("salt_g_api_events_total", "events of the master", lambda: parts.events.last)
    registry.gauge("salt_g_api_sessions", "sessions", lambda: len(parts.sessions))
    registry.gauge("salt_g_api_streams", "open event streams", lambda: len(parts.streams))
    registry.gauge("salt_g_api_orders", "orders at once", lambda: len(parts.order_shares))
    registry.gauge("salt_g_api_master", "1 while a master serves", lambda: int(parts.master.is_connected))
    kind = f"{METRICS_KIND}; version=0.0.4; charset=utf-8"
    return Response(200, registry.text().encode(), [("Content-Type", kind), ("Cache-Control", "no-store")])

"""Routes of events: /events, /ws, /hook."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Generator
from typing import Any

from salt_g.http_api import origins
from salt_g.http_api.api_services import Answer, ApiServices, RoutedRequest
from salt_g.http_api.event_rights import EventRights
from salt_g.http_api.event_streams import EventStream, sse, start_of
from salt_g.http_api.known.sights import sight_of
from salt_g.http_api.messages import Refusal, Request, Response
from salt_g.http_api.orders import NO_RIGHT
from salt_g.http_api.sessions import LoginSession, is_masters_token
from salt_g.shapes.loads import EventFields

#: Tag prefix of events fired by hooks, and maximum length of a hook's path.
_HOOK, _MAX_PATH = "salt/netapi/hook", 200


def stream_events(parts: ApiServices, asked: RoutedRequest) -> Response:
    """Answer GET /events: stream server-sent events."""
    request = asked.request
    session = asked.session or of_masters_token(parts, request)
    last_id = request.header("last-event-id") or request.query.get("last_event_id", "")
    place, has_gap = start_of(parts.events, last_id)
    rights = rights_of(parts, session, request.source)
    stream = EventStream(
        parts.events,
        rights,
        after=place,
        expire=session.expire,
        tag=_tag(request),
        turns=parts.turns,
        renew=_renewal(parts, session, request.source, rights),
    )
    headers = [("Content-Type", "text/event-stream;charset=utf-8"), ("Cache-Control", "no-cache")]
    held = _held(parts, session, stream, has_gap=has_gap)
    # The first step occupies one of the user's streams while a refusal can still be sent as a response.
    next(held)
    return Response(200, held, headers, on_leave=stream.close)


def _held(
    parts: ApiServices, session: LoginSession, stream: EventStream, *, has_gap: bool
) -> Generator[bytes, None, None]:
    with parts.stream_shares.one(session.user), parts.streams.holding(session.digest, stream):
        yield b""
        yield from sse(stream, has_gap=has_gap)


def open_websocket(parts: ApiServices, asked: RoutedRequest) -> Response:
    """Answer GET /ws: stream events over a WebSocket."""
    if asked.request.header("upgrade").lower() != "websocket":
        raise Refusal(400, "this route speaks WebSocket", [("Upgrade", "websocket")])
    # Imported lazily: few clients use WebSockets.
    from salt_g.http_api.websocket import serve_websocket

    session, request = asked.user, asked.request
    rights = rights_of(parts, session, request.source)
    stream = EventStream(
        parts.events,
        rights,
        after=parts.events.last,
        expire=session.expire,
        turns=parts.turns,
        renew=_renewal(parts, session, request.source, rights),
    )

    def talk(connection: Any) -> None:
        with parts.stream_shares.one(session.user), parts.streams.holding(session.digest, stream):
            serve_websocket(connection, request, stream)

    return Response(101, talk=talk)


def fire_hook(parts: ApiServices, asked: RoutedRequest) -> Answer:
    """Answer POST /hook/PATH: fire an event on the master."""
    if asked.session is None and not origins.may_fire(asked.request, parts.settings.cors):
        raise Refusal(
            403, "pages of other hosts cannot fire events without a login; list their origins in api_cors"
        )
    if len(asked.rest) > _MAX_PATH or not asked.rest.isascii() or "\n" in asked.rest:
        raise Refusal(400, f"the path of a hook must be one line of at most {_MAX_PATH} ASCII characters")
    tag = "/".join(filter(None, (_HOOK, asked.rest)))
    body = asked.request.body.decode("utf-8", "replace")
    sent = {name.title(): value for name, value in asked.request.headers.items() if name not in _SECRET}
    headers = {"Remote-Addr": asked.request.source, **sent}
    data: EventFields = {
        "body": body,
        "post": asked.data if asked.data is not None else {},
        "headers": headers,
    }
    parts.master.fire(tag, data)
    return Answer({"success": True})


#: Headers that contain credentials.
_SECRET = frozenset(("x-auth-token", "cookie", "authorization"))


def of_masters_token(parts: ApiServices, request: Request) -> LoginSession:
    """Return a session for the master's token in a request; raise Refusal with 401 without a valid one."""
    token = request.header("x-auth-token") or (
        request.query.get("token", "") if parts.settings.token_in_url else ""
    )
    if not is_masters_token(token):
        raise Refusal(401, NO_RIGHT)
    with parts.login_shares.one(request.source):
        content = parts.orders.ask({"cmd": "get_token", "token": token}, request.source)
    if not isinstance(content, dict) or "expire" not in content:
        raise Refusal(401, NO_RIGHT)
    user, eauth = str(content["name"]), str(content["eauth"])
    digest = hashlib.sha256(token.encode()).hexdigest()
    return LoginSession(digest, token, user, eauth, content["start"], content["expire"], is_token=True)


def rights_of(parts: ApiServices, session: LoginSession, source: str) -> EventRights:
    """Return the event filter for the user of a session; raise Refusal with 401 for an invalid token."""
    rights = parts.orders.ask({"cmd": "rights", "token": session.token}, source)
    if not isinstance(rights, dict) or "permissions" not in rights:
        raise Refusal(401, NO_RIGHT)
    return EventRights(sight_of(parts, rights, source))


def _renewal(
    parts: ApiServices, session: LoginSession, source: str, rights: EventRights
) -> Callable[[], EventRights | None]:
    """Return a function that requests the user's rights again and returns them.

    The function returns None after the end of the login, and the last known rights (at first `rights`) while
    the master is unreachable.
    """

    def renew() -> EventRights | None:
        nonlocal rights
        try:
            rights = rights_of(parts, session, source)
        except Refusal as exc:
            if exc.status == 401:
                return None
        return rights

    return renew


def _tag(request: Request) -> str:
    return request.query.get("tag", "")[:200]

"""Routes of streams: events, and the live steps of a job, as server-sent events."""

from __future__ import annotations

from collections.abc import Generator

from salt_g.event import tags
from salt_g.http_api import event_routes
from salt_g.http_api.api_services import RoutedRequest
from salt_g.http_api.messages import Refusal, Response
from salt_g.http_api.negotiation import to_json
from salt_g.http_api.v1.route import Called

KIND = "text/event-stream"


def stream_events(called: Called) -> Response:
    """Answer GET /events."""
    return event_routes.stream_events(called.parts, RoutedRequest(called.request, None, called.user, ""))


def stream_steps(called: Called) -> Response:
    """Answer GET /jobs/{jid}/steps: the steps known so far, then the job's events as they occur."""
    jid, events = called.names["jid"], called.parts.events
    last_id = called.request.header("last-event-id") or called.query["last_event_id"]
    # The stream begins before the request to the master, so no step is missed; a step that arrives twice has
    # the same number.
    place = last_id or f"{events.boot}-{events.last}"
    reply = called.ask("job_steps", jid=jid)
    if reply["row"] is None:
        raise Refusal(404, "there is no job with this jid that this user may see; GET /v1/jobs lists them")
    query = {"tag": f"{tags.job(jid)}/", "last_event_id": place}
    headers = {name: value for name, value in called.request.headers.items() if name != "last-event-id"}
    request = called.request._replace(query=query, headers=headers)
    response = event_routes.stream_events(called.parts, RoutedRequest(request, None, called.user, ""))
    known = {} if last_id else reply["steps"]
    snapshot = b"".join(_event(tags.job_step(jid, id), step) for id, step in sorted(known.items()))
    assert not isinstance(response.body, bytes)
    return Response(200, _after(snapshot, response.body), response.headers, on_leave=response.on_leave)


def _after(first: bytes, rest: Generator[bytes, None, None]) -> Generator[bytes, None, None]:
    """Yield a first piece, then the rest of a stream."""
    yield first
    yield from rest


def _event(tag: str, data: object) -> bytes:
    return b"tag: %s\ndata: %s\n\n" % (tag.encode(), to_json({"tag": tag, "data": data}))

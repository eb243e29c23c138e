"""HTTP/1.1 exchange: one request on a connection and the response.

h11 parses and serializes. Input that h11 tolerates but a proxy in front may read differently is refused: two
lengths, a length together with chunks, chunks in HTTP/1.0, headers after the chunks, folded lines, lines
without a carriage return, two hosts, two values of a header that is not a list.
Units: seconds, bytes.
Errors: OSError when the client has disconnected or is too slow.
"""

from __future__ import annotations

import contextlib
import email.utils
import http.client
import json
import urllib.parse
from collections.abc import Callable, Generator, Iterator
from contextlib import AbstractContextManager
from typing import Any, Protocol

import gevent
import h11

from salt_g.http_api.messages import Headers, Refusal, Request, Response

#: Maximum size of a request's head (bytes), and timeouts for the head and the body (s).
MAX_HEAD, HEAD_TIME, BODY_TIME = 16 * 1024, 10.0, 30.0
END_OF_HEAD = b"\r\n\r\n"
#: Maximum total size of all bodies that have not arrived completely (bytes).
MAX_UNFINISHED = 256 * 1024 * 1024
#: Size below which the body of a response is sent together with its head (bytes).
_SMALL = 16 * 1024
#: Headers that determine where a request ends; a request may contain only one of them, once.
_FRAMING = (b"content-length", b"transfer-encoding")
#: Headers that must not have two different values; the values of other repeated headers are joined.
_SINGLE = frozenset(
    (
        *("authorization", "content-type", "idempotency-key", "last-event-id", "origin"),
        *("sec-fetch-site", "x-auth-token"),
    )
)


class UnfinishedBodies:
    """Limit of `most` bytes for all request bodies that have not arrived completely."""

    def __init__(self, most: int = MAX_UNFINISHED) -> None:
        self._most = most
        self._held = 0

    @contextlib.contextmanager
    def reading(self) -> Iterator[Callable[[int], None]]:
        """Yield a function that counts the bytes of one body, and raises Refusal at the limit."""
        own = 0

        def add(size: int) -> None:
            nonlocal own
            own += size
            self._held += size
            if self._held > self._most:
                raise Refusal(503, "too many requests are arriving; try again", [("Retry-After", "5")])

        try:
            yield add
        finally:
            self._held -= own


class ExchangeConnection(Protocol):
    """Interface of the connection on which an exchange runs, see `connection.py`."""

    max_body: int
    bodies: UnfinishedBodies
    is_tls: bool
    own_headers: Headers
    rest: bytes
    pause: Callable[[], None]

    def read(self, timeout: float) -> bytes:
        """Return the next bytes, b"" at the end of the stream; raise TimeoutError after `timeout`."""

    def write(self, data: bytes) -> None:
        """Send bytes."""

    def client_of(self, forwarded: str) -> str:
        """Return the address of the client."""

    def watched(self, on_end: Callable[[], None]) -> AbstractContextManager[None]:
        """Call `on_end` if the client disconnects during the block."""


class Exchange:
    """One request and its response."""

    def __init__(self, connection: ExchangeConnection, head: bytes) -> None:
        self._connection = connection
        self._head = head
        self._h11 = h11.Connection(h11.SERVER, max_incomplete_event_size=MAX_HEAD)
        self._method = "GET"

    def run(self, answer: Callable[[Request], Response]) -> bool:
        """Serve the request; return whether the connection can be reused."""
        try:
            request = self._read()
        except Refusal as exc:
            self._refuse(exc)
            return False
        except ValueError as exc:
            self._refuse(Refusal(400, f"this request cannot be read: {exc}"))
            return False
        except h11.RemoteProtocolError as exc:
            self._refuse(Refusal(exc.error_status_hint or 400, f"this is not HTTP: {exc}"))
            return False
        if request is None:
            return False
        response = answer(request)
        # Free the request: its body may be large, and the client may read the response slowly.
        del request
        if response.talk is not None:
            try:
                response.talk(self._connection)
            except Refusal as exc:
                self._refuse(exc)
            return False
        return self._respond(response)

    def _read(self) -> Request | None:
        _check_head(self._head)
        self._h11.receive_data(self._head)
        event = self._h11.next_event()
        if not isinstance(event, h11.Request):
            return None
        self._method = event.method.decode("ascii")
        target = event.target.decode("ascii", "strict")
        body = self._read_body(event)
        path, _, query = target.partition("?")
        headers = _merged(event.headers)
        return Request(
            method=self._method,
            path=_path(path, headers.get("host", "")),
            query=dict(urllib.parse.parse_qsl(query, keep_blank_values=True, max_num_fields=100)),
            headers=headers,
            body=body,
            source=self._connection.client_of(headers.get("x-forwarded-for", "")),
            is_tls=self._connection.is_tls,
            raw_headers=tuple((bytes(name), bytes(value)) for name, value in event.headers),
            target=target,
        )

    def _read_body(self, request: Any) -> bytes:
        length = next((int(value) for name, value in request.headers if name == b"content-length"), 0)
        if length > self._connection.max_body:
            raise Refusal(413, f"a body must not exceed {self._connection.max_body} bytes")
        rest, self._connection.rest = self._connection.rest, b""
        if rest:
            self._h11.receive_data(rest)
        # The last four bytes of the earlier data, and all bytes of the latest read.
        read = rest
        # A single bytearray, because a list of a million chunks would take forty times their size.
        body = bytearray()
        with (
            self._connection.bodies.reading() as add,
            gevent.Timeout(BODY_TIME, Refusal(408, f"the body did not arrive within {BODY_TIME:g} s")),
        ):
            while True:
                # A body may consist of a million chunks that arrive all at once.
                self._connection.pause()
                event = self._h11.next_event()
                if event is h11.NEED_DATA:
                    read = read[-4:] + self._need_data()
                elif isinstance(event, h11.Data):
                    if len(body) + len(event.data) > self._connection.max_body:
                        raise Refusal(413, f"a body must not exceed {self._connection.max_body} bytes")
                    body += event.data
                    add(len(event.data))
                else:
                    break
        self._connection.rest = self._h11.trailing_data[0]
        if _is_chunked(request):
            _check_last_chunk(read.removesuffix(self._connection.rest), event)
        return bytes(body)

    def _need_data(self) -> bytes:
        if self._h11.they_are_waiting_for_100_continue:
            go_on = h11.InformationalResponse(status_code=100, headers=[])
            self._connection.write(self._packed(go_on))
        data = self._connection.read(BODY_TIME)
        if not data:
            raise ConnectionResetError("the client disconnected while sending a body")
        self._h11.receive_data(data)
        return data

    def _refuse(self, refusal: Refusal) -> None:
        """Send a refusal that announces the end of the connection, unless a response has already begun."""
        body = _unread_body(refusal)
        headers = [("Content-Type", "application/json"), ("Connection", "close"), *refusal.headers]
        if self._h11.our_state in (h11.IDLE, h11.SEND_RESPONSE):
            self._send_whole(Response(refusal.status, body, headers))

    def _respond(self, response: Response) -> bool:
        if isinstance(response.body, bytes):
            self._send_whole(response)
        else:
            self._send_pieces(response, response.body)
        return bool(self._h11.our_state is h11.DONE and self._h11.their_state is h11.DONE)

    def _send_whole(self, response: Response) -> None:
        assert isinstance(response.body, bytes)
        has_body = response.status not in (204, 304)
        length = [("Content-Length", str(len(response.body)))] if has_body else []
        data = self._head_of(response, length)
        body = response.body if has_body and self._method != "HEAD" else b""
        if body:
            # h11 counts the bytes and returns them as they are, without a copy.
            self._h11.send_with_data_passthrough(h11.Data(data=body))
        end = self._packed(h11.EndOfMessage())
        if len(body) < _SMALL:
            self._connection.write(data + body + end)
            return
        self._connection.write(data)
        self._connection.write(body)
        self._connection.write(end)

    def _send_pieces(self, response: Response, pieces: Generator[bytes, None, None]) -> None:
        write = self._connection.write
        with contextlib.closing(pieces), self._connection.watched(response.on_leave):
            write(self._head_of(response, []))
            if self._method != "HEAD":
                for piece in pieces:
                    write(self._packed(h11.Data(data=piece)))
            write(self._packed(h11.EndOfMessage()))

    def _head_of(self, response: Response, more: Headers) -> bytes:
        date = ("Date", email.utils.formatdate(usegmt=True))
        headers = [*self._connection.own_headers, date, *response.headers, *more]
        reason = http.client.responses.get(response.status, "")
        return self._packed(h11.Response(status_code=response.status, headers=headers, reason=reason))

    def _packed(self, event: Any) -> bytes:
        data: bytes = self._h11.send(event) or b""
        return data


def refusal_body(refusal: Refusal) -> bytes:
    """Return the body of a refusal as JSON."""
    return json.dumps({"status": refusal.status, "return": str(refusal)}).encode()


def _unread_body(refusal: Refusal) -> bytes:
    """Return a refusal as JSON with the fields of both stock and /v1, because the route is not known yet."""
    title, detail = http.client.responses.get(refusal.status, ""), str(refusal)
    body = {"status": refusal.status, "return": detail, "title": title, "detail": detail, "hint": ""}
    return json.dumps(body).encode()


def _check_head(head: bytes) -> None:
    """Raise Refusal for a request head that is too large or that other programs may parse differently."""
    if len(head) > MAX_HEAD or not head.endswith(END_OF_HEAD):
        raise Refusal(431, f"the head of a request must not exceed {MAX_HEAD} bytes")
    lines = head[: -len(END_OF_HEAD)].split(b"\r\n")
    for line in lines:
        if b"\n" in line or b"\r" in line or b"\0" in line:
            raise Refusal(400, "each line of the head must end with CRLF and contain no other CR, LF or NUL")
    if any(line[:1] in (b" ", b"\t") for line in lines):
        raise Refusal(400, "a header is folded over several lines")
    version = lines[0].rpartition(b" ")[2]
    if version.startswith(b"HTTP/") and not version.startswith(b"HTTP/1."):
        raise Refusal(400, "this server speaks HTTP/1.1")
    _check_framing(lines[1:], is_old=version == b"HTTP/1.0")


def _check_framing(lines: list[bytes], *, is_old: bool) -> None:
    """Raise Refusal for headers that make the end of the body ambiguous; h11 would just choose one."""
    framing = [
        (name.strip().lower(), value.strip()) for name, _, value in (one.partition(b":") for one in lines)
    ]
    framing = [(name, value) for name, value in framing if name in _FRAMING]
    if len(framing) > 1:
        raise Refusal(400, "a request must have only one Content-Length or Transfer-Encoding")
    if any(name == b"content-length" and not value.isdigit() for name, value in framing):
        raise Refusal(400, "Content-Length must be a number")
    if is_old and any(name == b"transfer-encoding" for name, _ in framing):
        raise Refusal(400, "an HTTP/1.0 request must not have a Transfer-Encoding")


def _is_chunked(request: Any) -> bool:
    return any(name == b"transfer-encoding" for name, _ in request.headers)


def _check_last_chunk(read: bytes, end: Any) -> None:
    """Raise Refusal unless a chunked body ends with CRLF and no trailers; h11 accepts a bare line feed."""
    if list(end.headers):
        raise Refusal(400, "headers after a body are not accepted")
    if not read.endswith(END_OF_HEAD):
        raise Refusal(400, "the body must end with an empty chunk and CRLF")


def _merged(headers: Any) -> dict[str, str]:
    """Return headers by name, repeated ones joined; raise Refusal if a header of `_SINGLE` has two values."""
    found: dict[str, str] = {}
    for raw_name, raw_value in headers:
        name, value = raw_name.decode(), raw_value.decode("latin-1")
        before = found.get(name)
        if before is None or before == value:
            found[name] = value
        elif name in _SINGLE:
            raise Refusal(400, f"a request must have only one {name}")
        else:
            found[name] = f"{before}{';' if name == 'cookie' else ','} {value}"
    return found


def _path(target: str, host: str) -> str:
    """Return the decoded path of a request; raise Refusal if it is malformed or names another host."""
    path = target
    if target.startswith(("http://", "https://")):
        named = urllib.parse.urlsplit(target)
        if host and named.netloc.lower() != host.lower():
            raise Refusal(400, "the URL and the header Host name different hosts")
        path = named.path or "/"
    decoded = urllib.parse.unquote(path, errors="strict")
    if not decoded.startswith("/") or "\0" in decoded:
        raise Refusal(400, "the path of a request must begin with /")
    return decoded

"""Request and response values of the HTTP API, and the exception that becomes a response.

Shapes: header names in requests are lower case. The body of a response is bytes, or a generator of bytes
that is sent piece by piece until it ends or the client disconnects.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Generator, Mapping
from typing import Any, NamedTuple

from salt_g.errors import SaltGError

Headers = list[tuple[str, str]]


class Request(NamedTuple):
    """Request with its whole body; `source` is the client's address, `path` is decoded."""

    method: str
    path: str
    query: Mapping[str, str]
    headers: Mapping[str, str]
    body: bytes
    source: str
    is_tls: bool = False
    #: Headers as they were sent, for the WebSocket handshake.
    raw_headers: tuple[tuple[bytes, bytes], ...] = ()
    target: str = "/"

    def header(self, name: str) -> str:
        """Return the value of a header, '' if it is missing."""
        return self.headers.get(name, "")

    def cookie(self, name: str) -> str:
        """Return the value of a cookie, '' if it is missing."""
        for part in self.header("cookie").split(";"):
            key, _, value = part.strip().partition("=")
            if key == name:
                return value.strip('"')
        return ""


@dataclasses.dataclass(frozen=True)
class Response:
    """Response with status, headers and body; `talk` takes over the connection after an upgrade.

    `on_leave` is called in the hub when the client disconnects while pieces are being sent.
    """

    status: int
    body: bytes | Generator[bytes, None, None] = b""
    headers: Headers = dataclasses.field(default_factory=list)
    talk: Callable[[Any], None] | None = None
    on_leave: Callable[[], None] = lambda: None


class Refusal(SaltGError):
    """Refusal of a request, with an HTTP status and a text for the client."""

    def __init__(self, status: int, text: str, headers: Headers | None = None) -> None:
        self.status = status
        self.headers = headers or []
        super().__init__(text)

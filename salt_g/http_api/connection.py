"""HTTP/1.1 connection of a client, with time limits for reading and writing.

Units: seconds, bytes.
Errors: OSError when the client has disconnected or is too slow.
"""

from __future__ import annotations

import contextlib
import ipaddress
import socket
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import gevent

from salt_g.http_api.exchange import END_OF_HEAD, HEAD_TIME, MAX_HEAD, Exchange, UnfinishedBodies
from salt_g.http_api.messages import Headers, Request, Response
from salt_g.process.offload import MOMENT
from salt_g.transport.time_slice import TimeSlice

#: Timeouts for the arrival of the next request, and for sending one piece of a response (s).
IDLE_TIME, SEND_TIME = 60.0, 60.0
#: Interval of the checks whether a client that sent data while being served has disconnected (s).
LOOK_AGAIN = 1.0
#: Maximum size of a piece of a response written at once (bytes).
PIECE = 64 * 1024
_CHUNK = 64 * 1024
#: State of a TCP connection that is open in both directions.
_ESTABLISHED = 1


class Life(NamedTuple):
    """Callbacks that report whether a connection waits for a request (`idle`) or serves one (`busy`)."""

    idle: Callable[[], None]
    busy: Callable[[], None]


class ApiConnection:
    """Connection of a client; `serve` returns when the connection ends."""

    def __init__(
        self,
        stream: Any,
        source: str,
        *,
        max_body: int,
        is_tls: bool = False,
        own_headers: Headers | None = None,
        is_proxy: Callable[[str], bool] = lambda address: False,
        turns: TimeSlice | None = None,
        bodies: UnfinishedBodies | None = None,
    ) -> None:
        """Initialize; `source` is the address of the peer, `own_headers` are added to each response.

        Connections that share `turns` yield to the hub regularly, even if their clients never make them wait;
        connections that share `bodies` have a common limit for the bytes of unfinished bodies.
        """
        self.stream = stream
        self.max_body = max_body
        self.bodies = bodies or UnfinishedBodies()
        self.is_tls = is_tls
        self.own_headers = own_headers or []
        #: Bytes that were read but not used yet, from the body of this request or from the next request.
        self.rest = b""
        self._source = source
        self._is_proxy = is_proxy
        #: Function to call between two units of work.
        self.pause = (turns or TimeSlice()).pause

    def serve(self, answer: Callable[[Request], Response], life: Life) -> None:
        """Answer requests until the client disconnects, an error occurs or the connection times out."""
        is_first = True
        while True:
            life.idle()
            self.pause()
            head = self._read_head(is_first=is_first)
            if not head:
                return
            life.busy()
            is_first = False
            if not Exchange(self, head).run(answer):
                return
            if self.rest:
                # A client that pipelines requests is served one request per pass of the hub, so that many
                # such clients do not block it.
                gevent.sleep(MOMENT)

    def read(self, timeout: float) -> bytes:
        """Return the next bytes, b"" at the end of the stream; raise TimeoutError after `timeout`."""
        self.pause()
        self.stream.settimeout(timeout)
        data: bytes = self.stream.recv(_CHUNK)
        return data

    def write(self, data: bytes) -> None:
        """Send bytes in pieces, with a time limit for each piece."""
        self.stream.settimeout(SEND_TIME)
        view = memoryview(data)
        for start in range(0, len(data), PIECE):
            self.stream.sendall(view[start : start + PIECE])

    def client_of(self, forwarded: str) -> str:
        """Return the client's address; X-Forwarded-For counts only where a trusted proxy has added to it."""
        client = self._source
        for word in reversed(forwarded.split(",")):
            if not self._is_proxy(client):
                break
            named = _address_in(word.strip())
            if not named:
                break
            client = named
        return client

    @contextlib.contextmanager
    def watched(self, on_end: Callable[[], None]) -> Iterator[None]:
        """Call `on_end` if the client disconnects during the block; it runs in the hub and must not block."""
        number = self.stream.fileno()
        loop = gevent.get_hub().loop
        watcher, later = loop.io(number, 1), loop.timer(LOOK_AGAIN)

        def look() -> None:
            # Data sent by the client stays in the socket, so a running watcher would fire again and again.
            # With TLS, the closing alert arrives before the end of the connection.
            watcher.stop()
            if _has_left(number):
                on_end()
            else:
                later.start(look)

        watcher.start(look)
        try:
            yield
        finally:
            for one in (watcher, later):
                one.stop()
                one.close()

    def _read_head(self, *, is_first: bool) -> bytes:
        """Return the head of the next request, b"" if the client sends no further one."""
        buffer, self.rest = self.rest.lstrip(b"\r\n"), b""
        if not buffer and not is_first:
            try:
                buffer = self.read(IDLE_TIME)
            except TimeoutError:
                return b""
        with gevent.Timeout(HEAD_TIME, TimeoutError("the head of a request took too long")):
            while END_OF_HEAD not in buffer and len(buffer) <= MAX_HEAD:
                data = self.read(HEAD_TIME)
                if not data:
                    return b""
                # Empty lines may precede a request.
                buffer = (buffer + data).lstrip(b"\r\n")
        head, end, self.rest = buffer.partition(END_OF_HEAD)
        return head + end


def _address_in(word: str) -> str:
    """Return the IP address in an entry of X-Forwarded-For, without a port; '' if there is none."""
    bare = word[1:].partition("]")[0] if word.startswith("[") else word
    for one in (bare, bare.rpartition(":")[0]):
        try:
            return str(ipaddress.ip_address(one))
        except ValueError:
            continue
    return ""


def _is_closing(peer: socket.socket) -> bool:
    """Return whether the peer has closed a TCP connection, even if unread data is still queued."""
    try:
        # The state is the first byte of `struct tcp_info`, see tcp(7).
        return peer.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 1) != bytes((_ESTABLISHED,))
    except OSError:
        return False


def _has_left(fd: int) -> bool:
    """Return whether the peer has closed a socket, without consuming data."""
    with socket.socket(fileno=fd) as borrowed:
        try:
            said = borrowed.recv(1, socket.MSG_PEEK | socket.MSG_DONTWAIT)
            return not said or _is_closing(borrowed)
        except BlockingIOError:
            return False
        except OSError:
            return True
        finally:
            borrowed.detach()

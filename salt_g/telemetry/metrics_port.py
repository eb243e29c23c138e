"""HTTP port for Prometheus and health checks: GET /metrics and /healthz, nothing else.

Off unless `metrics_port` is set, and on the loopback unless `metrics_interface` is set: anyone who can
connect can read the metrics.
Bounds: those of `http_server.py`; a request has no body. A web page cannot read the metrics by DNS rebinding,
because a name in the Host header must be `localhost`, this host's name or `metrics_interface`.
Units: seconds.
"""

from __future__ import annotations

import logging
import socket
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import gevent.socket

from salt_g.net.http_server import BACKLOG, HttpLimits, HttpServer
from salt_g.net.own_hosts import is_own_host

log = logging.getLogger(__name__)

#: Maximum number of concurrent connections, in total and per address.
CONNECTIONS, OF_ONE_ADDRESS = 32, 8
#: Time limit of a connection (s).
LIFETIME = 15.0
#: Content type of Prometheus's text format.
TEXT_FORMAT = "text/plain; version=0.0.4; charset=utf-8"
_PLAIN = "text/plain; charset=utf-8"

_Answer = tuple[str, str, str]


class MetricsPort:
    """HTTP server of `text()`. Lifecycle: `start` (raises OSError when the port is in use), `stop`."""

    def __init__(self, interface: str, port: int, *, text: Callable[[], str]) -> None:
        self._interface = interface
        self._port = port
        self._text = text
        self._names = {"localhost", interface.lower(), socket.gethostname().lower()}
        self._server: Any = None

    @property
    def port(self) -> int:
        """Number of the port in use."""
        return int(self._server.server_port)

    def start(self) -> None:
        """Bind and serve."""
        self._server = HttpServer(
            _listener(self._interface, self._port),
            self._answer,
            HttpLimits(CONNECTIONS, OF_ONE_ADDRESS, max_body=0, lifetime=LIFETIME),
            error_log=log,
        )
        self._server.start()
        log.info("metrics are served on %s port %d", self._interface, self.port)

    def stop(self) -> None:
        """Close the port."""
        if self._server is not None:
            self._server.stop(timeout=1)
            self._server = None

    def _answer(self, environ: Mapping[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        status, kind, text = self._answer_to(
            environ["REQUEST_METHOD"], environ["PATH_INFO"], environ.get("HTTP_HOST", "")
        )
        body = text.encode()
        headers = [
            ("Content-Type", kind),
            ("Content-Length", str(len(body))),
            ("Cache-Control", "no-store"),
            ("X-Content-Type-Options", "nosniff"),
            ("Connection", "close"),
        ]
        if status.startswith("405"):
            headers.append(("Allow", "GET, HEAD"))
        start_response(status, headers)
        return [b"" if environ["REQUEST_METHOD"] == "HEAD" else body]

    def _answer_to(self, method: str, path: str, host: str) -> _Answer:
        """Return status, content type and text of the response to a request."""
        if not is_own_host(host, self._names):
            return "403 Forbidden", _PLAIN, "this Host is not served; ask by address, or as localhost\n"
        if path not in ("/metrics", "/healthz"):
            return "404 Not Found", _PLAIN, "only /metrics and /healthz exist\n"
        if method not in ("GET", "HEAD"):
            return "405 Method Not Allowed", _PLAIN, "metrics are read by GET\n"
        if path == "/healthz":
            return "200 OK", _PLAIN, "ok\n"
        return "200 OK", TEXT_FORMAT, self._text()


def _listener(interface: str, port: int) -> Any:
    family = socket.AF_INET6 if ":" in interface else socket.AF_INET
    listener = gevent.socket.socket(family, socket.SOCK_STREAM)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((interface, port))
        listener.listen(BACKLOG)
    except BaseException:
        listener.close()
        raise
    return listener

"""Engine that fires an event for each HTTP POST.

    engines:
      - webhook:
          address: 10.128.1.145
          port: 8000
          ssl_crt: /etc/pki/tls/certs/localhost.crt
          ssl_key: /etc/pki/tls/certs/localhost.key

A POST to `/deploy/web` fires the event `salt/engines/hook/deploy/web` with {headers, body}; the body is
bytes. On a minion the tag is `salt/engines/hook/<id>/deploy/web`, because a minion fires under its own name
only, and the body is text when it reaches the master.
Without `ssl_crt` and `ssl_key` it is plain HTTP. There is no authentication: anyone who can reach the port
can fire events, so use a firewall, or a signature in the headers that the reaction checks.
Bounds: `MAX_BODY` bytes of a body, and those of `http_server.py`.
"""

from __future__ import annotations

import logging
import socket
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import gevent.socket

from salt_g import api
from salt_g.engines._event_sink import fire, is_master
from salt_g.errors import CommandExecutionError, SaltGError
from salt_g.net.http_server import BACKLOG, HttpLimits, HttpServer
from salt_g.shapes.loads import EventData

log = logging.getLogger(__name__)

#: Maximum size of a body (bytes).
MAX_BODY = 1 << 20
#: Maximum length of a tag (characters).
MAX_TAG = 512
#: Maximum number of concurrent connections, in total and per address; a proxy's clients share its address.
CONNECTIONS, OF_ONE_ADDRESS = 64, 32
#: Time limit of a connection (s).
LIFETIME = 15.0

_PREFIX = "salt/engines/hook/"


def start(
    address: str | None = None, port: int = 5000, ssl_crt: str | None = None, ssl_key: str | None = None
) -> None:
    """Serve until the daemon ends.

    address
        Address to listen on; all addresses by default.
    port
        The TCP port.
    ssl_crt, ssl_key
        Files of the certificate (with its chain) and of its key, for HTTPS.

    Example::

        salt-g master    # with `engines: [{webhook: {address: 127.0.0.1, port: 8000}}]`
    """
    with _listener(address, int(port)) as listener:
        tls = {"ssl_context": _tls(ssl_crt, ssl_key)} if ssl_crt or ssl_key else {}
        server = HttpServer(
            listener,
            WebhookServer(api.current()).answer,
            HttpLimits(CONNECTIONS, OF_ONE_ADDRESS, max_body=MAX_BODY, lifetime=LIFETIME),
            error_log=log,
            **tls,
        )
        where, kind = listener.getsockname(), "HTTPS" if tls else "HTTP"
        log.info("accepting hooks over %s on %s port %d", kind, where[0], where[1])
        try:
            server.serve_forever(stop_timeout=1)
        finally:
            server.stop(timeout=1)


class WebhookServer:
    """Server for requests, each handled in its own greenlet with an explicit call context."""

    def __init__(self, context: api.CallContext) -> None:
        self._context = context

    def answer(self, environ: Mapping[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        """Answer one request (WSGI)."""
        with api.use(self._context):
            status, text = self._answer_to(environ)
        body = text.encode()
        headers = [
            ("Content-Type", "text/plain; charset=utf-8"),
            ("Content-Length", str(len(body))),
            ("Connection", "close"),
        ]
        if status.startswith("405"):
            headers.append(("Allow", "POST"))
        start_response(status, headers)
        return [body]

    def _answer_to(self, environ: Mapping[str, Any]) -> tuple[str, str]:
        """Return the (status, text) that answers a request."""
        if environ["REQUEST_METHOD"] != "POST":
            return "405 Method Not Allowed", "hooks are sent by POST\n"
        path = str(environ["PATH_INFO"]).removeprefix("/")
        if len(path) > MAX_TAG or not (path.isascii() and path.isprintable()):
            return "400 Bad Request", f"the path must be at most {MAX_TAG} printable ASCII characters\n"
        # One extra byte detects a body that is too large, with a length or in chunks.
        body = environ["wsgi.input"].read(MAX_BODY + 1)
        if len(body) > MAX_BODY:
            return "413 Payload Too Large", f"a body may have at most {MAX_BODY} bytes\n"
        return _fired(path, {"headers": _headers(environ), "body": body})


def _fired(path: str, data: EventData) -> tuple[str, str]:
    tag = _PREFIX + (path if is_master() else f"{api.opts['id']}/{path}")
    try:
        has_gone = fire(tag, data)
    except SaltGError as exc:
        log.error("hook %s: cannot fire its event: %s", tag, exc)
        has_gone = False
    return ("200 OK", "") if has_gone else ("503 Service Unavailable", "the event could not be sent\n")


def _headers(environ: Mapping[str, Any]) -> dict[str, str]:
    """Return the headers of a request by name, as in `X-Github-Event`."""
    sent = {name.removeprefix("HTTP_"): value for name, value in environ.items() if name.startswith("HTTP_")}
    sent |= {name: environ[name] for name in ("CONTENT_TYPE", "CONTENT_LENGTH") if environ.get(name)}
    return {"-".join(map(str.capitalize, name.split("_"))): value for name, value in sent.items()}


def _tls(certificate: str | None, key: str | None) -> Any:
    import gevent.ssl  # Imported lazily: most hooks run behind a proxy, and TLS costs memory.

    if not certificate or not key:
        raise CommandExecutionError("engine webhook: HTTPS needs both `ssl_crt` and `ssl_key`")
    context = gevent.ssl.SSLContext(gevent.ssl.PROTOCOL_TLS_SERVER)
    try:
        context.load_cert_chain(certificate, key)
    except OSError as exc:
        raise CommandExecutionError(
            f"engine webhook: {certificate!r} with key {key!r} cannot be used: {exc}"
        ) from exc
    return context


def _listener(address: str | None, port: int) -> Any:
    """Return a listening socket, by default on all addresses, of both IP versions if possible."""
    is_6 = socket.has_dualstack_ipv6() if not address else ":" in address
    listener = gevent.socket.socket(socket.AF_INET6 if is_6 else socket.AF_INET, socket.SOCK_STREAM)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if is_6 and not address:
            listener.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0)
        listener.bind((address or ("::" if is_6 else "0.0.0.0"), port))
        listener.listen(BACKLOG)
    except (OSError, OverflowError) as exc:
        listener.close()
        raise CommandExecutionError(
            f"engine webhook: cannot listen on {address or 'all addresses'} port {port}: {exc}"
        ) from exc
    return listener

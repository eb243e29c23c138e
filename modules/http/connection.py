"""One request to a web server: over which connection, with which certificates, for how long.

Why its own file: a server that does not answer the phone and one that thinks for long are two
things; urllib knows one time limit for both.
Units: seconds.
"""

from __future__ import annotations

import http.client
import ssl
import urllib.request
from typing import Any

from salt_g.api import opts
from salt_g.errors import InvocationError
from salt_g.net.tls import client_context
from salt_g.net.web_proxy import WebProxy

#: Longest wait for a connection, and for an answer.
CONNECT_TIMEOUT = 20
REQUEST_TIMEOUT = 3600


def open_request(
    request: urllib.request.Request, *, verify_ssl: bool, ca_bundle: str | None, cert: Any
) -> Any:
    """Send a request and return the open answer.

    Raises urllib.error.HTTPError for a status of 400 and above, OSError when there is no answer.
    """
    context = _tls(verify_ssl, ca_bundle, cert)
    proxy = WebProxy.of(opts).handler(request.full_url)
    opener = urllib.request.build_opener(_Plain(), _Secure(context=context), proxy, _NoOther())
    return opener.open(request, timeout=float(opts.get("http_connect_timeout") or CONNECT_TIMEOUT))


def _tls(verify_ssl: bool, ca_bundle: str | None, cert: Any) -> ssl.SSLContext:
    files = [cert] if isinstance(cert, str) else list(cert or ())
    try:
        return client_context(verify=verify_ssl, ca_bundle=ca_bundle, cert=files)
    except OSError as exc:
        raise InvocationError(f"certificates {[*files, ca_bundle]!r} cannot be used: {exc}") from exc


class _WaitsForAnswer:
    """Part of a connection: once connected, the time limit is that of the request."""

    sock: Any

    def connect(self) -> None:
        super().connect()  # type: ignore[misc]
        self.sock.settimeout(float(opts.get("http_request_timeout") or REQUEST_TIMEOUT))


class _PlainConnection(_WaitsForAnswer, http.client.HTTPConnection):
    pass


class _SecureConnection(_WaitsForAnswer, http.client.HTTPSConnection):
    pass


class _Plain(urllib.request.HTTPHandler):
    def http_open(self, request: urllib.request.Request) -> http.client.HTTPResponse:
        return self.do_open(_PlainConnection, request)


class _Secure(urllib.request.HTTPSHandler):
    def __init__(self, context: ssl.SSLContext) -> None:
        super().__init__(context=context)
        self._tls = context

    def https_open(self, request: urllib.request.Request) -> http.client.HTTPResponse:
        return self.do_open(_SecureConnection, request, context=self._tls)


class _NoOther(urllib.request.BaseHandler):
    """Refuses the other schemes that urllib knows, files of this machine among them."""

    handler_order = 0

    def default_open(self, request: urllib.request.Request) -> None:
        if request.type not in ("http", "https"):
            raise InvocationError(f"URL scheme {request.type!r} is not supported; use http or https")

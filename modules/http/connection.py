"""Connection for one request: certificates and time limits.

urllib has a single time limit; here connecting and waiting for the answer have separate ones.

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

#: Time limits for a connection and for an answer.
CONNECT_TIMEOUT = 20
REQUEST_TIMEOUT = 3600


def open_request(
    request: urllib.request.Request, *, verify_ssl: bool, ca_bundle: str | None, cert: Any
) -> Any:
    """Send a request and return the open response.

    Raises urllib.error.HTTPError for a status of 400 and above, OSError without a response.
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
    """Connection mixin: once connected, the time limit of the request applies."""

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
    """Handler that refuses urllib's other schemes, including local files."""

    handler_order = 0

    def default_open(self, request: urllib.request.Request) -> None:
        if request.type not in ("http", "https"):
            raise InvocationError(f"URL scheme {request.type!r} is not supported; use http or https")

"""HTTP client for an etcd server, with persistent connections.

    etcd.host: 127.0.0.1
    etcd.port: 2379
    etcd.protocol: https             # with `etcd.ca_cert`, and `etcd.cert` for a certificate of our own
    etcd.username: salt
    etcd.password: secret
    etcd.read_timeout: 10

Units: seconds, bytes. Errors: SaltCacheError for a server that cannot be reached or does not speak HTTP, for
an answer that is too large, and for invalid settings.
"""

from __future__ import annotations

import http.client
import json
from collections.abc import Mapping
from typing import Any, NamedTuple

from salt_g.net.tls import client_context
from salt_g.shapes import Opts
from salt_g.stock_errors import SaltCacheError
from salt_g.wire.packing import AFTER_SIGN_IN

#: Time limit of a connection attempt, and of each piece of an answer (s).
_TIMEOUT = 10.0
#: Maximum size of an answer (bytes): the largest value in Base64, and the text around it.
_LIMIT = AFTER_SIGN_IN.size // 3 * 4 + (1 << 20)
#: Maximum number of idle connections kept.
_KEPT = 8


class EtcdAnswer(NamedTuple):
    """Status and content of a response."""

    status: int
    content: bytes


class Server:
    """Client for the server in the settings `etcd.*`; a connection serves one request at a time."""

    def __init__(self, opts: Opts) -> None:
        if opts.get("etcd.srv_domain"):
            raise SaltCacheError("`etcd.srv_domain` is not supported: name one server by `etcd.host`")
        self._host = str(opts.get("etcd.host") or "127.0.0.1")
        self._port = _number(opts, "etcd.port", 2379)
        self._timeout = _number(opts, "etcd.read_timeout", _TIMEOUT)
        self._context = _context(opts)
        self._idle: list[http.client.HTTPConnection] = []

    def __del__(self) -> None:
        # The end of a call context does not notify objects that plugins keep in it.
        for connection in getattr(self, "_idle", ()):
            connection.close()

    @property
    def place(self) -> str:
        """The server's address, for messages."""
        return f"etcd at {self._host} port {self._port:g}"

    def ask(
        self, method: str, target: str, body: str | None = None, headers: Mapping[str, str] | None = None
    ) -> EtcdAnswer:
        """Send a request and return the response, whatever its status."""
        while True:
            is_kept = bool(self._idle)
            connection = self._idle.pop() if is_kept else self._connection()
            try:
                connection.request(method, target, body, dict(headers or {}))
                response = connection.getresponse()
                content = response.read(_LIMIT + 1)
            except (OSError, http.client.HTTPException) as exc:
                connection.close()
                # A server that was restarted in the meantime has closed the kept connections.
                if is_kept and not isinstance(exc, TimeoutError):
                    continue
                raise SaltCacheError(f"{self.place}: {exc or type(exc).__name__}") from exc
            if len(content) > _LIMIT:
                connection.close()
                raise SaltCacheError(f"{self.place}: an answer has more than {_LIMIT} bytes")
            if response.will_close or len(self._idle) >= _KEPT:
                connection.close()
            else:
                self._idle.append(connection)
            return EtcdAnswer(response.status, content)

    def read(self, answer: EtcdAnswer) -> dict[str, Any]:
        """Return the JSON object in an answer; raises SaltCacheError with the message of an error."""
        try:
            found = json.loads(answer.content)
        except ValueError:
            found = None
        if answer.status >= 300 or not isinstance(found, dict):
            words = found if isinstance(found, dict) else {}
            text = words.get("message") or words.get("error") or answer.content[:200].decode(errors="replace")
            raise SaltCacheError(f"{self.place}: {str(text).strip() or 'no content'} ({answer.status})")
        return found

    def _connection(self) -> http.client.HTTPConnection:
        if self._context is None:
            return http.client.HTTPConnection(self._host, int(self._port), timeout=self._timeout)
        return http.client.HTTPSConnection(
            self._host, int(self._port), timeout=self._timeout, context=self._context
        )


def _number(opts: Opts, name: str, default: float) -> float:
    value = opts.get(name)
    try:
        return float(value) if value not in (None, "") else default
    except (TypeError, ValueError):
        raise SaltCacheError(f"`{name}` is not a number: {value!r}") from None


def _context(opts: Opts) -> Any:
    """Return the TLS context, None for a server without TLS."""
    protocol = str(opts.get("etcd.protocol") or "http")
    if protocol not in ("http", "https"):
        raise SaltCacheError(f"`etcd.protocol` must be http or https, not {protocol!r}")
    if protocol == "http":
        return None
    given = opts.get("etcd.cert") or ()
    cert = [str(given)] if isinstance(given, str) else [str(file) for file in given]
    ca_bundle = opts.get("etcd.ca_cert")
    try:
        return client_context(ca_bundle=str(ca_bundle) if ca_bundle else None, cert=cert)
    except OSError as exc:
        raise SaltCacheError(f"`etcd.cert` or `etcd.ca_cert` cannot be used: {exc}") from exc

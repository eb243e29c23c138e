"""HTTP requests to the API server of a cluster.

Units: seconds. Errors: CommandExecutionError with the server's message.
Source: the public OpenAPI description of Kubernetes: `Status`, `PodList`.
"""

from __future__ import annotations

import http.client
import json
import urllib.parse
from collections.abc import Mapping, Sequence
from typing import Any

from salt_g.errors import CommandExecutionError
from salt_g.resources.k8s_pod.access import Access

#: Time limit for a response (s).
TIMEOUT = 30.0

Query = Mapping[str, str] | Sequence[tuple[str, str]]


class Cluster:
    """API server with the address and credentials of an Access."""

    def __init__(self, access: Access) -> None:
        self.access = access
        self.url = urllib.parse.urlsplit(access.server)
        if self.url.scheme not in ("https", "http") or not self.url.hostname:
            raise CommandExecutionError(f"k8s_pod: {access.server!r} is not an address of an API server")

    def ask(
        self, method: str, path: str, *, query: Query = (), body: Any = None, as_text: bool = False
    ) -> Any:
        """Send a request and return the response, parsed from JSON unless `as_text`."""
        connection = self.connection()
        headers = {**self.access.headers(), "Accept": "*/*" if as_text else "application/json"}
        data = None
        if body is not None:
            data, headers["Content-Type"] = json.dumps(body), "application/json"
        try:
            connection.request(method, self.target(path, query), data, headers)
            answer = connection.getresponse()
            text = answer.read().decode("utf-8", "replace")
        except (OSError, http.client.HTTPException) as exc:
            raise CommandExecutionError(f"{self.place} does not answer: {exc or type(exc).__name__}") from exc
        finally:
            connection.close()
        if answer.status >= 400:
            raise CommandExecutionError(f"{method} {path}: {complaint(answer.status, answer.reason, text)}")
        return text if as_text else _json(text, path)

    @property
    def place(self) -> str:
        """Server's host and port, for messages."""
        return self.url.netloc.rpartition("@")[2]

    def target(self, path: str, query: Query) -> str:
        """Return the request target."""
        asked = f"?{urllib.parse.urlencode(query)}" if query else ""
        return f"{self.url.path.rstrip('/')}{urllib.parse.quote(path)}{asked}"

    def connection(self) -> http.client.HTTPConnection:
        """Return a connection to the server, opened by the first request."""
        host, port = str(self.url.hostname), self.url.port
        if self.url.scheme == "http":
            return http.client.HTTPConnection(host, port, timeout=TIMEOUT)
        return http.client.HTTPSConnection(host, port, timeout=TIMEOUT, context=self.access.context)


def complaint(status: int, reason: str, text: str) -> str:
    """Return the server's error message."""
    try:
        returned = json.loads(text)
    except ValueError:
        returned = None
    message = returned.get("message") if isinstance(returned, Mapping) else None
    return f"{message or reason} ({status})"


def _json(text: str, path: str) -> Any:
    try:
        return json.loads(text)
    except ValueError as exc:
        raise CommandExecutionError(f"{path}: the server's answer is not JSON") from exc

"""Client of an HTTP API in tests: whole requests, and raw bytes."""

from __future__ import annotations

import http.client
import json
import socket
from typing import Any, NamedTuple

from tests.support.waiting import DEADLINE

#: The password of everybody in `external_auth: sharedsecret`.
PASSWORD = "sesame"
#: Users by their rights.
USERS = {
    "ann": [".*", "@runner", "@wheel"],
    "bob": ["test.*"],
    "cat": [{"m1": ["test.ping"]}, "@jobs"],
}
#: Settings of a master with an HTTP API.
SETTINGS = {
    "external_auth": {"sharedsecret": USERS},
    "sharedsecret": PASSWORD,
    "netapi_enable_clients": [
        *("local", "local_async", "local_batch", "local_subset"),
        *("runner", "runner_async", "wheel", "wheel_async"),
    ],
    "rest_cherrypy": {"host": "127.0.0.1", "port": 0, "disable_ssl": True},
}


class Answer(NamedTuple):
    """Status, headers by lower-case name, body."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def data(self) -> Any:
        return json.loads(self.body)


class ApiClient:
    """Client of the API at a port; `token` is sent with each request."""

    def __init__(self, port: int, token: str = "") -> None:
        self.port = port
        self.token = token

    def send(self, method: str, path: str, body: bytes | str | None = None, **headers: str) -> Answer:
        """Send a request; names of headers are written with underscores."""
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        if self.token:
            sent.setdefault("X-Auth-Token", self.token)
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=DEADLINE)
        try:
            connection.request(method, path, body, sent)
            response = connection.getresponse()
            names = {name.lower(): value for name, value in response.getheaders()}
            return Answer(response.status, names, response.read())
        finally:
            connection.close()

    def get(self, path: str, **headers: str) -> Answer:
        return self.send("GET", path, **headers)

    def post(self, path: str, data: Any = None, **headers: str) -> Answer:
        """Send data as JSON."""
        headers = {"Content_Type": "application/json", "Accept": "application/json", **headers}
        return self.send("POST", path, None if data is None else json.dumps(data), **headers)

    def order(self, **fields: Any) -> Any:
        """Return the only result of an order."""
        answer = self.post("/", [fields])
        assert answer.status == 200, answer
        [result] = answer.data["return"]
        return result

    def logged_in(self, user: str = "ann") -> ApiClient:
        """Return a client with a session."""
        login = {"username": user, "password": PASSWORD, "eauth": "sharedsecret"}
        answer = self.post("/login", login)
        assert answer.status == 200, answer
        return ApiClient(self.port, answer.data["return"][0]["token"])

    def raw(self, data: bytes = b"") -> socket.socket:
        """Return an open connection on which bytes were sent."""
        connection = socket.create_connection(("127.0.0.1", self.port), DEADLINE)
        connection.sendall(data)
        return connection

    def stream(self, **headers: str) -> EventReader:
        """Return the events of /events as an iterator of maps {tag, data, id, event}."""
        return self.stream_of("/events", **headers)

    def stream_of(self, path: str, **headers: str) -> EventReader:
        """Return the events of a route."""
        lines = "".join(f"{name.replace('_', '-')}: {value}\r\n" for name, value in headers.items())
        request = f"GET {path} HTTP/1.1\r\nHost: x\r\nX-Auth-Token: {self.token}\r\n{lines}\r\n"
        return EventReader(self.raw(request.encode()))


class EventReader:
    """Reader of server-sent events."""

    def __init__(self, connection: socket.socket) -> None:
        self.connection = connection
        self.response = http.client.HTTPResponse(connection)
        self.response.begin()
        self.status = self.response.status

    def next(self) -> dict[str, Any]:
        """Return the next event; comments and `retry` are skipped."""
        fields: dict[str, Any] = {}
        while True:
            line = self.response.readline().decode().rstrip("\n")
            if not line:
                if "data" in fields:
                    return {**fields, "data": json.loads(fields["data"])}
                if self.response.isclosed():
                    raise EOFError
                fields = {}
                continue
            name, _, value = line.partition(": ")
            fields[name] = value

    def until(self, tag: str) -> dict[str, Any]:
        """Return the next event with a tag that has this prefix."""
        while True:
            event = self.next()
            if event.get("tag", "").startswith(tag):
                return event

    def close(self) -> None:
        self.response.close()
        self.connection.close()

"""Crowd of malicious clients of an HTTP API: `crowd.py PORT SECONDS TOKEN`.

Each comes from an address of its own, as a trusted proxy would say. Prints what was done as JSON at the end.
"""

import collections
import contextlib
import json
import pathlib
import random
import sys
import time

import gevent
from gevent import socket

sys.path.append(str(pathlib.Path(__file__).parents[1]))

from support.smuggled import SMUGGLED

#: Clients of each kind.
ASKERS, GUESSERS, SMUGGLERS, SLOW, FROZEN = 16, 150, 4, 60, 18
#: Time between two bytes of a slow client (s).
PAUSE = 0.5


class Crowd:
    """All clients; `done` counts what they did."""

    def __init__(self, port, seconds, token):
        self.done = collections.Counter()
        self._port = port
        self._end = time.monotonic() + seconds
        self._token = token

    def run(self):
        """Run all clients until the end."""
        kinds = [
            *((self._ask, ASKERS), (self._guess, GUESSERS), (self._smuggle, SMUGGLERS)),
            *((self._send_slowly, SLOW), (self._freeze, FROZEN)),
        ]
        clients = [gevent.spawn(self._repeat, act) for act, number in kinds for _ in range(number)]
        gevent.joinall(clients, raise_error=True)

    def _repeat(self, act):
        while time.monotonic() < self._end:
            with contextlib.suppress(OSError):
                act()
            gevent.sleep(0.01)

    @contextlib.contextmanager
    def _connected(self):
        with socket.create_connection(("127.0.0.1", self._port), 30) as connection:
            yield connection

    def _ask(self):
        """Send several requests on one connection, each as another user."""
        with self._connected() as connection, connection.makefile("rb") as answers:
            for _ in range(50):
                path = random.choice(("/", "/login", "/nope", "/v1/health", "/v1/minions", "/stats"))
                connection.sendall(self._head("GET", path) + b"\r\n")
                self.done[f"answers {_status(answers)}"] += 1

    def _guess(self):
        """Log in with a wrong password."""
        body = json.dumps({"username": f"u{random.random()}", "password": "x", "eauth": "sharedsecret"})
        with self._connected() as connection, connection.makefile("rb") as answers:
            head = self._head("POST", "/login")
            kind = f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n".encode()
            connection.sendall(head + kind + body.encode())
            self.done[f"logins {_status(answers)}"] += 1

    def _smuggle(self):
        """Send one of the requests that can be read in two ways, and read to the end."""
        with self._connected() as connection:
            connection.sendall(random.choice(list(SMUGGLED.values())))
            connection.shutdown(socket.SHUT_WR)
            answer = b""
            while data := connection.recv(65536):
                answer += data
        self.done["smuggled requests"] += 1
        self.done["smuggled requests accepted"] += b"HTTP/1.1 2" in answer

    def _send_slowly(self):
        """Send a request byte by byte."""
        with self._connected() as connection:
            for byte in self._head("POST", "/login") + b"Content-Length: 100000\r\n\r\n" + b"x" * 1000:
                if time.monotonic() > self._end:
                    return
                connection.sendall(bytes((byte,)))
                gevent.sleep(PAUSE)
        self.done["slow requests"] += 1

    def _freeze(self):
        """Open a stream of events and read nothing."""
        with self._connected() as connection:
            connection.sendall(self._head("GET", "/events") + f"X-Auth-Token: {self._token}\r\n\r\n".encode())
            self.done["frozen streams"] += 1
            while time.monotonic() < self._end:
                gevent.sleep(PAUSE)

    @staticmethod
    def _head(method, path):
        source = ".".join(str(random.randrange(1, 255)) for _ in range(4))
        return f"{method} {path} HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: {source}\r\n".encode()


def _status(answers):
    """Read one answer; return its status."""
    status, length = answers.readline().split()[1].decode(), 0
    while line := answers.readline().strip():
        name, _, value = line.lower().partition(b":")
        length = int(value) if name == b"content-length" else length
    answers.read(length)
    return status


if __name__ == "__main__":
    crowd = Crowd(int(sys.argv[1]), float(sys.argv[2]), sys.argv[3])
    crowd.run()
    print(json.dumps(crowd.done))

"""Crowd of malicious clients of an HTTP API: `crowd.py PORT SECONDS REQUESTS LOGINS TOKEN...`.

They stop after SECONDS, or once REQUESTS were answered and LOGINS refused; 0 means no such limit. Each has
an address of its own, as reported by a trusted proxy. The tokens are sessions of clients that read slowly
or not at all. Prints the counts as JSON at the end.
"""

import collections
import contextlib
import itertools
import json
import pathlib
import random
import sys
import time

import gevent
from gevent import socket

sys.path.append(str(pathlib.Path(__file__).parents[2]))

from tests.support.pacing import client_pause
from tests.support.smuggled import SMUGGLED

#: Clients of each kind that need no login.
ASKERS, GUESSERS, SMUGGLERS, SLOW = 16, 190, 4, 60
#: Clients of each kind that have a session: they read slowly or not at all; 20 of one session at most.
FROZEN, TRICKLING, FROZEN_SOCKETS, FROZEN_ANSWERS = 50, 20, 20, 10
#: Time between two bytes of a slow client (s).
PAUSE = 0.5
#: Requests that an asker sends on a connection, and without waiting for answers.
ON_A_CONNECTION, AHEAD = 80, 8
PATHS = ("/", "/login", "/nope", "/v1/health", "/v1/minions", "/stats", "/page.css")
#: How long a reader stays before it comes anew: at least, and at most (s).
STAY = (40, 80)
#: Text of a large answer (bytes); more than the kernel keeps for a reader.
LARGE = 900_000


class Crowd:
    """All clients; `done` counts their actions."""

    def __init__(self, port, seconds, requests, logins, tokens):
        self.done = collections.Counter()
        self.requested = self.guessed = 0
        self._port = port
        self._end = time.monotonic() + seconds
        self._requests = requests
        self._logins = logins
        self._tokens = itertools.cycle(tokens)

    @property
    def is_over(self):
        """Whether the time is over, or all actions are done."""
        is_counted = self._requests or self._logins
        is_done = is_counted and self.requested >= self._requests and self.guessed >= self._logins
        return is_done or time.monotonic() > self._end

    def run(self):
        """Run all clients until the end."""
        kinds = [
            *((self._ask, ASKERS), (self._guess, GUESSERS), (self._smuggle, SMUGGLERS)),
            (self._send_slowly, SLOW),
        ]
        readers = [
            *((self._freeze, FROZEN), (self._trickle, TRICKLING)),
            *((self._freeze_socket, FROZEN_SOCKETS), (self._freeze_answer, FROZEN_ANSWERS)),
        ]
        clients = [gevent.spawn(self._repeat, act) for act, number in kinds for _ in range(number)]
        for act, number in readers:
            clients += [gevent.spawn(self._repeat, act, next(self._tokens)) for _ in range(number)]
        gevent.joinall(clients, raise_error=True)

    def _repeat(self, act, *arguments):
        while not self.is_over:
            with contextlib.suppress(OSError):
                act(*arguments)
            client_pause(0.01)

    @contextlib.contextmanager
    def _connected(self):
        with socket.create_connection(("127.0.0.1", self._port), 30) as connection:
            yield connection

    def _ask(self):
        """Send several requests on one connection, each as another user, some pipelined."""
        if self._requests and self.requested >= self._requests:
            # Leave the processor to the clients that are not done.
            client_pause(PAUSE)
            return
        with self._connected() as connection, connection.makefile("rb") as answers:
            for _ in range(ON_A_CONNECTION // AHEAD):
                paths = random.choices(PATHS, k=AHEAD)
                connection.sendall(b"".join(self._head("GET", path) + b"\r\n" for path in paths))
                for _ in paths:
                    self.done[f"answers {_status(answers)}"] += 1
                    self.requested += 1

    def _guess(self):
        """Log in with a wrong password."""
        body = json.dumps({"username": f"u{random.random()}", "password": "x", "eauth": "sharedsecret"})
        with self._connected() as connection, connection.makefile("rb") as answers:
            head = self._head("POST", "/login")
            kind = f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n".encode()
            connection.sendall(head + kind + body.encode())
            self.done[f"logins {_status(answers)}"] += 1
            self.guessed += 1

    def _smuggle(self):
        """Send an ambiguous request, and read to the end."""
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
                if self.is_over:
                    return
                connection.sendall(bytes((byte,)))
                client_pause(PAUSE)
        self.done["slow requests"] += 1

    def _freeze(self, token):
        """Open a stream of events and read nothing."""
        self._stay(self._head("GET", "/events", token) + b"\r\n", "frozen streams")

    def _freeze_socket(self, token):
        """Open a WebSocket, request events and read nothing."""
        upgrade = b"Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
        key = b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
        # The words that stock's clients begin with, in a masked frame.
        ready = b"\x81\x96\0\0\0\0websocket client ready"
        self._stay(self._head("GET", "/ws", token) + upgrade + key + ready, "frozen websockets")

    def _freeze_answer(self, token):
        """Request a large response and read nothing."""
        order = {"client": "local", "tgt": "m1", "fun": "test.echo", "arg": ["x" * LARGE]}
        body = json.dumps([order]).encode()
        kind = f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n".encode()
        self._stay(self._head("POST", "/", token) + kind + body, "frozen answers")

    def _trickle(self, token):
        """Open a stream of events and read it byte by byte."""
        self._stay(self._head("GET", "/events", token) + b"\r\n", "slow streams", read=1)

    def _stay(self, request, name, read=0):
        """Send a request; stay connected as long as the peer, reading this many bytes in each pause."""
        end = time.monotonic() + random.uniform(*STAY)
        with self._connected() as connection:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            connection.sendall(request)
            self.done[name] += 1
            while time.monotonic() < end and not self.is_over and not _is_closed(connection):
                client_pause(PAUSE)
                if read and not connection.recv(read):
                    return

    @staticmethod
    def _head(method, path, token=""):
        source = ".".join(str(random.randrange(1, 255)) for _ in range(4))
        login = f"X-Auth-Token: {token}\r\n" if token else ""
        return f"{method} {path} HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: {source}\r\n{login}".encode()


def _status(answers):
    """Read one answer; return its status. Raises ConnectionError at the end of the connection."""
    first = answers.readline().split()
    if len(first) < 2:
        raise ConnectionError("no answer")
    status, length = first[1].decode(), 0
    while line := answers.readline().strip():
        name, _, value = line.lower().partition(b":")
        length = int(value) if name == b"content-length" else length
    answers.read(length)
    return status


def _is_closed(connection):
    """Return whether the peer has closed or reset a connection, according to the kernel."""
    # The first byte of TCP_INFO is the state; 1 is ESTABLISHED.
    return connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO) != 1


if __name__ == "__main__":
    port, seconds, requests, logins, *tokens = sys.argv[1:]
    crowd = Crowd(int(port), float(seconds), int(requests), int(logins), tokens)
    crowd.run()
    print(json.dumps(crowd.done))

"""Execution of programs in a container by the API's `exec`, with several streams over one WebSocket.

Wire: binary messages whose first byte is the channel: 0 standard input, 1 standard output, 2 standard error,
3 a `Status` in JSON that describes how the program ended; in version 5 of the protocol, 255 closes a channel.
Units: seconds.
Errors: CommandExecutionError, CommandTimeout.
Source: Kubernetes documentation of `kubectl exec`, KEP-4006; RFC 6455.
"""

from __future__ import annotations

import base64
import hashlib
import http.client
import json
import os
import socket
import struct
import time
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from salt_g.errors import CommandExecutionError, CommandTimeout
from salt_g.resources.k8s_pod.requests import TIMEOUT, Cluster, complaint

STDIN, STDOUT, STDERR, STATUS, CLOSE = 0, 1, 2, 3, 255
#: Subprotocols, newest first; only the newest can signal the end of standard input.
PROTOCOLS = ("v5.channel.k8s.io", "v4.channel.k8s.io")
#: Maximum size of a program's output (bytes); more ends the run with an error.
MOST_OUTPUT = 256 << 20
_CONTINUATION, _BINARY, _CLOSING, _PING, _PONG = 0, 2, 8, 9, 10
_ACCEPTING = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
#: Size of a message with standard input (bytes).
_PIECE = 1 << 15


class ExecFinished(NamedTuple):
    """Result of a finished program."""

    retcode: int
    stdout: bytes
    stderr: bytes


def run_in_pod(
    cluster: Cluster,
    path: str,
    argv: Sequence[str],
    *,
    container: str = "",
    stdin: bytes | None = None,
    timeout: float | None = None,
) -> ExecFinished:
    """Run a program to its end; without `timeout` its run time is unlimited."""
    query = [("command", word) for word in argv] + [("stdout", "true"), ("stderr", "true")]
    query += [("stdin", "true")] if stdin is not None else []
    query += [("container", container)] if container else []
    line = _Line(cluster, cluster.target(path, query))
    try:
        if stdin is not None:
            line.send_input(stdin)
        return _collected(line.messages(timeout))
    except TimeoutError:
        raise CommandTimeout(" ".join(argv), timeout or TIMEOUT, pid=0) from None
    except OSError as exc:
        raise CommandExecutionError(
            f"{cluster.place} closed the connection while {argv[0]!r} ran: {exc}"
        ) from exc
    finally:
        line.close()


def _collected(messages: Iterator[tuple[int, bytes]]) -> ExecFinished:
    parts: dict[int, list[bytes]] = {STDOUT: [], STDERR: [], STATUS: []}
    size = 0
    for channel, data in messages:
        if channel in parts:
            parts[channel].append(data)
            size += len(data)
        if size > MOST_OUTPUT:
            raise CommandExecutionError(f"the program printed more than {MOST_OUTPUT} bytes")
        if channel == STATUS:
            break
    joined = {channel: b"".join(found) for channel, found in parts.items()}
    return ExecFinished(_retcode(joined[STATUS]), joined[STDOUT], joined[STDERR])


def _retcode(status: bytes) -> int:
    """Return the exit code from a Status; raises CommandExecutionError if there is none."""
    try:
        returned = json.loads(status)
    except ValueError:
        raise CommandExecutionError("the server did not report how the program ended") from None
    if returned.get("status") == "Success":
        return 0
    for cause in (returned.get("details") or {}).get("causes") or ():
        if cause.get("reason") == "ExitCode":
            return int(cause["message"])
    raise CommandExecutionError(str(returned.get("message") or "the program could not be run"))


class _Line:
    """WebSocket connection to the server."""

    def __init__(self, cluster: Cluster, target: str) -> None:
        self._buffer = b""
        self._connection = cluster.connection()
        try:
            self._protocol = self._opened(cluster, target)
        except (OSError, http.client.HTTPException) as exc:
            self.close()
            raise CommandExecutionError(f"{cluster.place} does not answer: {exc}") from exc

    def send_input(self, stdin: bytes) -> None:
        """Send standard input and signal its end."""
        if self._protocol != PROTOCOLS[0]:
            raise CommandExecutionError("this API server cannot end standard input (it is older than 1.30)")
        for start in range(0, len(stdin), _PIECE):
            self._send(_BINARY, bytes([STDIN]) + stdin[start : start + _PIECE])
        self._send(_BINARY, bytes([CLOSE, STDIN]))

    def messages(self, timeout: float | None) -> Iterator[tuple[int, bytes]]:
        """Yield (channel, data) until the server closes; raises TimeoutError."""
        until = None if timeout is None else time.monotonic() + timeout
        whole = b""
        while True:
            is_last, kind, data = self._frame(until)
            if kind == _CLOSING:
                return
            if kind == _PING:
                self._send(_PONG, data)
            elif kind in (_BINARY, _CONTINUATION):
                whole += data
                if is_last:
                    if whole:
                        yield whole[0], whole[1:]
                    whole = b""

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()

    def _opened(self, cluster: Cluster, target: str) -> str:
        """Open the WebSocket; return the protocol version."""
        key = base64.b64encode(os.urandom(16))
        headers = {
            **cluster.access.headers(),
            "Connection": "Upgrade",
            "Upgrade": "websocket",
            "Sec-WebSocket-Key": key.decode(),
            "Sec-WebSocket-Version": "13",
            "Sec-WebSocket-Protocol": ", ".join(PROTOCOLS),
        }
        self._connection.request("GET", target, headers=headers)
        sock = self._connection.sock
        answer = self._connection.getresponse()
        if answer.status != 101:
            text = answer.read().decode("utf-8", "replace")
            raise CommandExecutionError(f"exec: {complaint(answer.status, answer.reason, text)}")
        wanted = base64.b64encode(hashlib.sha1(key + _ACCEPTING).digest()).decode()  # noqa: S324 - RFC 6455
        protocol = answer.getheader("Sec-WebSocket-Protocol", "")
        if answer.getheader("Sec-WebSocket-Accept") != wanted or protocol not in PROTOCOLS:
            raise CommandExecutionError("exec: the server answered with an unsupported protocol")
        self._socket: socket.socket = sock
        # The buffer of this file may already hold bytes that follow the response's header.
        self._file = answer.fp
        return str(protocol)

    def _send(self, kind: int, data: bytes) -> None:
        """Send one frame; clients mask their frames (RFC 6455, 5.3)."""
        mask = os.urandom(4)
        size = len(data)
        if size < 126:
            head = struct.pack(">BB", 0x80 | kind, 0x80 | size)
        elif size < 1 << 16:
            head = struct.pack(">BBH", 0x80 | kind, 0x80 | 126, size)
        else:
            head = struct.pack(">BBQ", 0x80 | kind, 0x80 | 127, size)
        number = int.from_bytes(data, "big") ^ int.from_bytes((mask * (size // 4 + 1))[:size], "big")
        self._socket.sendall(head + mask + number.to_bytes(size, "big"))

    def _frame(self, until: float | None) -> tuple[bool, int, bytes]:
        first, second = self._exactly(2, until)
        size = second & 0x7F
        if size == 126:
            (size,) = struct.unpack(">H", self._exactly(2, until))
        elif size == 127:
            (size,) = struct.unpack(">Q", self._exactly(8, until))
        if size > MOST_OUTPUT:
            raise CommandExecutionError("the server sent a frame that is too large")
        return bool(first & 0x80), first & 0x0F, self._exactly(size, until)

    def _exactly(self, size: int, until: float | None) -> bytes:
        while len(self._buffer) < size:
            if until is not None and until <= time.monotonic():
                raise TimeoutError
            self._socket.settimeout(None if until is None else max(0.001, until - time.monotonic()))
            part = self._file.read1(1 << 16)
            if not part:
                raise ConnectionResetError("the server closed the connection")
            self._buffer += part
        data, self._buffer = self._buffer[:size], self._buffer[size:]
        return data

"""Client of a running `ssh`'s control socket: sessions on its connection, without a process for each.

It speaks the same protocol as `ssh -S`.
Shapes: packets are a length, a type and fields, all big-endian; the ends of a session's standard streams are
passed as file descriptors.
Errors: MuxError if the connection is down or refuses a session.
Source: OpenSSH, PROTOCOL.mux, version 4.
"""

from __future__ import annotations

import array
import struct
from typing import Any

from salt_g.errors import SaltGError

_VERSION = 4
_HELLO = 0x00000001
_NEW_SESSION = 0x10000002
_PERMISSION_DENIED, _FAILURE = 0x80000002, 0x80000003
_EXIT, _OPENED, _NO_TTY = 0x80000004, 0x80000006, 0x80000008
_NO_ESCAPE = 0xFFFFFFFF
#: Maximum length of a received packet (bytes).
_LONGEST = 1 << 16


class MuxError(SaltGError):
    """Lost connection, or refused session."""


class Session:
    """One command on the connection of a control socket."""

    def __init__(self, path: str) -> None:
        import gevent.socket  # Imported lazily: other parts of this process may not need sockets

        self._socket: Any = gevent.socket.socket(gevent.socket.AF_UNIX, gevent.socket.SOCK_STREAM)
        self._kind = gevent.socket.SOL_SOCKET, gevent.socket.SCM_RIGHTS
        try:
            self._socket.connect(path)
        except OSError as exc:
            self._socket.close()
            raise MuxError(f"the connection has ended: {exc.strerror}") from exc

    def open(self, command: str, streams: tuple[int, int, int], *, tty: bool) -> None:
        """Start a command with these standard streams; raises MuxError."""
        try:
            self._send(struct.pack(">II", _HELLO, _VERSION))
            self._send(_request(command, tty))
            for stream in streams:
                rights = [(*self._kind, array.array("i", [stream]))]
                self._socket.sendmsg([b"\0"], rights)
            self._expect(_HELLO)
            self._expect(_OPENED)
        except OSError as exc:
            raise MuxError(f"the connection has ended: {exc.strerror}") from exc

    def wait(self) -> int | None:
        """Return the exit code of the command, or None if it was killed or the connection has ended."""
        try:
            while True:
                kind, body = self._receive()
                if kind == _EXIT:
                    return int(struct.unpack_from(">II", body)[1])
        except (MuxError, OSError):
            return None

    def close(self) -> None:
        """Release the session; its command continues until it reads or writes."""
        self._socket.close()

    def _send(self, body: bytes) -> None:
        self._socket.sendall(struct.pack(">I", len(body)) + body)

    def _expect(self, wanted: int) -> bytes:
        while True:
            kind, body = self._receive()
            if kind == wanted:
                return body
            if kind in (_FAILURE, _PERMISSION_DENIED):
                raise MuxError(f"cannot open a session: {_reason(body)}")

    def _receive(self) -> tuple[int, bytes]:
        (length,) = struct.unpack(">I", self._exactly(4))
        if not 4 <= length <= _LONGEST:
            raise MuxError("the control socket sent an invalid packet")
        body = self._exactly(length)
        (kind,) = struct.unpack_from(">I", body)
        return kind, body[4:]

    def _exactly(self, size: int) -> bytes:
        data = b""
        while len(data) < size:
            more = self._socket.recv(size - len(data))
            if not more:
                raise MuxError("the connection has ended")
            data += more
        return data


def _request(command: str, tty: bool) -> bytes:
    """Return the packet that requests a session; flags: tty, X11, agent, subsystem."""
    numbers = struct.pack(">IIIII", int(tty), 0, 0, 0, _NO_ESCAPE)
    return b"".join(
        (
            struct.pack(">II", _NEW_SESSION, 0),
            _text(""),
            numbers,
            _text("dumb" if tty else ""),
            _text(command),
        )
    )


def _text(text: str) -> bytes:
    data = text.encode("utf-8", "surrogateescape")
    return struct.pack(">I", len(data)) + data


def _reason(body: bytes) -> str:
    """Return the reason in a refusal, which follows the request number."""
    (length,) = struct.unpack_from(">I", body, 4)
    return body[8 : 8 + length].decode("utf-8", "replace")

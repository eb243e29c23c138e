"""ZMTP spoken byte by byte, valid and invalid, to a listening port: peers that libzmq cannot imitate."""

from __future__ import annotations

import contextlib
import random
import socket
import struct
from collections.abc import Sequence

#: Time limit for a response (s).
DEADLINE = 60.0
GREETING = b"\xff" + bytes(8) + b"\x7f\x03\x01" + b"NULL".ljust(20, b"\0") + bytes(32)
#: Greetings of other versions, of other mechanisms, and invalid ones.
GREETINGS = [
    GREETING,
    b"\xff" + bytes(8) + b"\x7f\x03\x00" + b"NULL".ljust(20, b"\0") + bytes(32),
    b"\xff" + bytes(7) + b"\x01\x7f\x03\x01" + b"NULL".ljust(20, b"\0") + bytes(32),
    b"\xff" + bytes(8) + b"\x7f\x02\x05\x00\x00",
    b"\xff" + bytes(8) + b"\x7f\x01\x05",
    b"\x01\x00",
    b"\xff" + bytes(8) + b"\x7f\x04\x00" + b"NULL".ljust(20, b"\0") + bytes(32),
    b"\xff" + bytes(8) + b"\x7f\x03\x01" + b"CURVE".ljust(20, b"\0") + bytes(32),
    b"\xff" + bytes(8) + b"\x7f\x03\x01" + b"PLAIN".ljust(20, b"\0") + b"\1" + bytes(31),
    b"GET / HTTP/1.1\r\n\r\n",
]


def frame(body: bytes, flags: int = 0) -> bytes:
    """Return one encoded frame."""
    if len(body) > 255:
        return bytes((flags | 2,)) + struct.pack(">Q", len(body)) + body
    return bytes((flags, len(body))) + body


def message(*frames: bytes) -> bytes:
    """Return a message of several frames."""
    return b"".join(frame(body, flags=number < len(frames)) for number, body in enumerate(frames, 1))


def command(name: bytes, data: bytes = b"") -> bytes:
    """Return an encoded command."""
    return frame(bytes((len(name),)) + name + data, flags=4)


def ready(kind: bytes, identity: bytes = b"") -> bytes:
    """Return the READY command of a socket type."""
    pairs = ((b"Socket-Type", kind), (b"Identity", identity))
    return command(
        b"READY",
        b"".join(bytes((len(name),)) + name + struct.pack(">I", len(value)) + value for name, value in pairs),
    )


def ping(ttl: int = 0, context: bytes = b"") -> bytes:
    """Return a PING; `ttl` in tenths of a second."""
    return command(b"PING", struct.pack(">H", ttl) + context)


#: Open connections.
_open: list[Raw] = []


def close_all() -> None:
    """Close the connections that a test left open."""
    while _open:
        _open.pop().socket.close()


class Raw:
    """One connection. Lifecycle: connected on creation, `close` or `reset`, `close_all` after a test."""

    def __init__(self, port: int, *, receive_buffer: int | None = None) -> None:
        self.socket = socket.socket()
        _open.append(self)
        if receive_buffer:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        self.socket.settimeout(DEADLINE)
        self.socket.connect(("127.0.0.1", port))

    def shake_hands(self, kind: bytes, identity: bytes = b"") -> Raw:
        """Send the greeting and READY, and wait for the peer's."""
        self.send(GREETING + ready(kind, identity))
        received = b""
        while (
            len(received) < len(GREETING) + 2
            or len(received) < len(GREETING) + 2 + received[len(GREETING) + 1]
        ):
            part = self.socket.recv(len(GREETING) + 257)
            assert part, "hung up in the handshake"
            received += part
        return self

    def send(self, data: bytes) -> None:
        """Send bytes."""
        self.socket.sendall(data)

    def try_to_send(self, data: bytes) -> bool:
        """Send bytes unless the peer closes; return whether all were sent."""
        try:
            self.send(data)
        except OSError:
            return False
        return True

    def is_ended(self) -> bool:
        """Wait for the peer to close; return whether it did."""
        with contextlib.suppress(ConnectionError):
            while self.socket.recv(65536):
                pass
        return True

    def reset(self) -> None:
        """Close with a TCP reset."""
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.socket.close()

    def close(self) -> None:
        """Close the connection."""
        self.socket.close()


def nasty_bytes(draw: random.Random) -> bytes:
    """Return bytes that a hostile peer might send in one write."""
    kind = draw.choice([b"REQ", b"DEALER", b"SUB", b"XSUB", b"PUB", b"ROUTER", b"", b"x" * 200])
    identity = draw.choice([b"", b"same", b"\0\0\0\0\1", b"i" * 255, b"i" * 300])
    hello = GREETING + ready(kind, identity)
    return draw.choice(
        [
            draw.choice(GREETINGS),
            draw.choice(GREETINGS)[: draw.randrange(64)],
            hello,
            hello,
            hello + message(b"", b"") * draw.randrange(2000) + ping(draw.randrange(20)),
            hello + frame(b"\1" + draw.randbytes(draw.randrange(50))) * draw.randrange(1500),
            hello + command(draw.choice([b"SUBSCRIBE", b"CANCEL"]), draw.randbytes(draw.randrange(300))),
            command(draw.choice([b"PING", b"PONG", b"ERROR", b"READY", b"HELLO", b""]), draw.randbytes(20)),
            ping(draw.choice([0, 1, 5, 65535]), draw.randbytes(draw.randrange(40))) * draw.randrange(1, 500),
            b"\x04\x05\x04PING",
            bytes((draw.randrange(256), draw.randrange(256))) + draw.randbytes(draw.randrange(64)),
            bytes((draw.choice([2, 3, 6]),))
            + struct.pack(">Q", draw.choice([0, 2**16, 2**26, 2**63, 2**64 - 1])),
            message(*[b"x"] * draw.randrange(1, 40)),
            message(b"", draw.randbytes(draw.randrange(3000))),
            frame(b"\1" + b"a" * draw.randrange(5000)),
            draw.randbytes(draw.randrange(200)),
        ]
    )


def storm_once(draw: random.Random, ports: Sequence[int], kept: list[Raw]) -> None:
    """Perform one hostile action; `kept` are its connections, of which at most 40 stay open."""
    if not kept or (len(kept) < 40 and draw.random() < 0.4):
        kept.append(Raw(draw.choice(ports), receive_buffer=draw.choice([None, 2048])))
        if draw.random() < 0.7:
            identity = draw.choice([b"", b"same", draw.randbytes(5)])
            kept[-1].try_to_send(GREETING + ready(draw.choice([b"SUB", b"REQ", b"DEALER"]), identity))
    one = draw.choice(kept)
    one.socket.settimeout(0.2)
    is_there = one.try_to_send(nasty_bytes(draw))
    if not is_there or draw.random() < 0.2:
        kept.remove(one)
        (one.reset if draw.random() < 0.7 else one.close)()

"""Subscriber without libzmq, for processes with a thousand subscriptions.

A green ZeroMQ socket takes some 50 µs of Python per message. A thousand subscribers at 50 messages a second
would take more than two processors; plain sockets take a fifth of that.
Source: ZMTP 3.0 (RFC 23), mechanism NULL; pings of ZMTP 3.1, because libzmq sends them.
"""

import gevent
import gevent.socket

#: Greeting of a ZMTP 3.0 peer: signature, version, mechanism, as client.
GREETING = b"\xff" + bytes(8) + b"\x7f" + b"\x03\x00" + b"NULL".ljust(20, b"\0") + bytes(32)
#: Flags of a frame.
MORE, LONG, COMMAND = 1, 2, 4
#: Time limit of the handshake (s), bytes per read.
PATIENCE = 20.0
CHUNK = 1 << 16


class Ear:
    """One SUB connection; calls `hear(payload)` with each publication in the hub. Lifecycle: connected on
    creation, `close`.
    """

    def __init__(self, host, port, id, hear):
        self._hear = hear
        self._rest = b""
        with gevent.Timeout(PATIENCE):
            self._socket = gevent.socket.create_connection((host, port))
            self._shake_hands(id)
        self._watcher = gevent.get_hub().loop.io(self._socket.fileno(), 1)
        self._watcher.start(self._read)

    @property
    def is_open(self):
        """Whether the connection is open, as far as is known."""
        return self._watcher is not None

    def close(self):
        """Close the connection."""
        if self._watcher is not None:
            self._watcher.stop()
            self._watcher.close()
            self._watcher = None
            self._socket.close()

    def _shake_hands(self, id):
        self._socket.sendall(GREETING)
        self._exactly(len(GREETING))
        ready = b"\x05READY" + _named(b"Socket-Type", b"SUB") + _named(b"Identity", id.encode())
        self._socket.sendall(bytes((COMMAND, len(ready))) + ready)
        _, size = self._exactly(2)
        self._exactly(size)
        # A message that begins with 1 subscribes to the topic after it, here to all topics.
        self._socket.sendall(b"\x00\x01\x01")

    def _exactly(self, size):
        data = b""
        while len(data) < size:
            chunk = self._socket.recv(size - len(data))
            if not chunk:
                raise ConnectionError("the publisher hung up")
            data += chunk
        return data

    def _read(self):
        try:
            # The socket beneath gevent's, whose own recv would switch to the hub, where this code runs.
            data = self._socket._sock.recv(CHUNK)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        if not data:
            self.close()
            return
        self._rest = self._cut(self._rest + data if self._rest else data)

    def _cut(self, data):
        """Process the complete frames in `data` and return the rest."""
        at, end = 0, len(data)
        while end - at >= 2:
            flags, head, size = data[at], at + 2, data[at + 1]
            if flags & LONG:
                head, size = at + 9, int.from_bytes(data[at + 1 : at + 9], "big")
            # The eight bytes of a long size may be incomplete themselves.
            if head > end or head + size > end:
                break
            at = head + size
            if flags & COMMAND:
                self._answer(data[head:at])
            elif not flags & MORE:
                self._hear(data[head:at])
        return data[at:]

    def _answer(self, command):
        if command.startswith(b"\x04PING"):
            pong = b"\x04PONG" + command[7:]
            self._socket._sock.send(bytes((COMMAND, len(pong))) + pong)


def _named(name, value):
    return bytes((len(name),)) + name + len(value).to_bytes(4, "big") + value

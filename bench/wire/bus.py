"""The master's event bus: one socket to read, one to write.

Source: wire specification, section 11.
"""

import datetime
import os
import struct

import gevent
import msgpack
from gevent import socket

from wire.errors import Timeout, WireError
from wire.packing import pack_bus, unpack_bus


class EventBus:
    """Connection to the master's event socket, or with `pull` to the one that takes events.

    `prefixed` says whether frames have a length before them; None looks at the first byte.
    """

    def __init__(self, sock_dir, pull=False, prefixed=None):
        name = "master_event_pull.ipc" if pull else "master_event_pub.ipc"
        self.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.sock.connect(os.path.join(sock_dir, name))
        self.prefixed = prefixed
        self.buf = b""
        self.unpacker = msgpack.Unpacker(raw=True, strict_map_key=False)

    def _frames(self, timeout):
        while True:
            if self.prefixed is None and self.buf:
                # 0x82 begins a map of two entries; a length begins with 0x00.
                self.prefixed = self.buf[0] != 0x82
            if self.prefixed is False:
                self.unpacker.feed(self.buf)
                self.buf = b""
                yield from self.unpacker
            elif self.prefixed:
                while len(self.buf) >= 4:
                    size = struct.unpack(">I", self.buf[:4])[0]
                    if len(self.buf) < 4 + size:
                        break
                    body, self.buf = self.buf[4 : 4 + size], self.buf[4 + size :]
                    yield msgpack.unpackb(body, raw=True, strict_map_key=False)
            with gevent.Timeout(timeout, Timeout("no event")):
                chunk = self.sock.recv(65536)
            if not chunk:
                raise WireError("event bus closed")
            self.buf += chunk

    def events(self, timeout=None):
        """Yield (tag, data)."""
        for frame in self._frames(timeout):
            tag, _, data = frame[b"body"].partition(b"\n\n")
            yield tag.decode(), unpack_bus(data)

    def fire(self, data, tag):
        """Write one event, stamped with the time."""
        data = dict(data)
        now = datetime.datetime.now(datetime.timezone.utc)
        data.setdefault("_stamp", now.isoformat())
        body = tag.encode() + b"\n\n" + pack_bus(data)
        frame = pack_bus({"head": {}, "body": body})
        self.sock.sendall(struct.pack(">I", len(frame)) + frame)

    def close(self):
        self.sock.close()

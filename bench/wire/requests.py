"""The connection for requests: one REQ socket, which a missed reply makes useless.

Source: wire specification, sections 2.1 and 2.2.
"""

import gevent
import gevent.lock
import zmq.green as zmq

from wire.errors import Timeout
from wire.packing import pack

#: Version of the envelopes: wire specification, section 6.1.
PROTOCOL_VERSION = 3


class ReqClient:
    """One REQ connection, one request in flight; reconnects after a timeout."""

    def __init__(self, context, uri):
        self.context, self.uri = context, uri
        self.sock = None
        self.lock = gevent.lock.Semaphore()
        self.timeouts = 0

    def _connect(self):
        self.sock = self.context.socket(zmq.REQ)
        self.sock.setsockopt(zmq.LINGER, 0)
        self.sock.setsockopt(zmq.RECONNECT_IVL_MAX, 5000)
        self.sock.setsockopt(zmq.TCP_KEEPALIVE, 1)
        self.sock.setsockopt(zmq.TCP_KEEPALIVE_IDLE, 300)
        self.sock.connect(self.uri)

    def call(self, envelope, timeout):
        """Send one envelope, return the raw reply bytes."""
        blob = pack(envelope)
        with self.lock:
            if self.sock is None:
                self._connect()
            limit = gevent.Timeout(timeout)
            try:
                with limit:
                    self.sock.send(blob)
                    return self.sock.recv()
            except BaseException as exc:
                self.close()  # a REQ that missed its reply is unusable
                if exc is not limit:  # perhaps the caller's own time limit
                    raise
                self.timeouts += 1
                raise Timeout(f"no reply within {timeout}s") from None

    def close(self):
        if self.sock is not None:
            self.sock.close(0)
            self.sock = None

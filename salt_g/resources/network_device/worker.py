"""Worker process of NAPALM's drivers, with a native thread for each device.

A separate process is needed because drivers block, start threads and run programs, which does not work in a
gevent daemon. The worker starts with the first connection to a device, and ends with the minion.

Wire: the minion passes the worker one end of a socket pair for each device, over an inherited socket. Frames
are 4 bytes of length (big-endian) and msgpack: `[method, args, kwargs]`, the first of them `["open",
[driver], arguments]`; answers are `[result, "", ""]` or `[None, kind, text]` (kinds: KINDS).
"""

from __future__ import annotations

import contextlib
import os
import socket
import struct
import threading
from collections.abc import Mapping
from typing import Any

from salt_g.errors import WireError
from salt_g.wire.packing import unpack

#: Kinds of errors: connection lost, method missing in the driver, anything else.
CLOSED, UNSUPPORTED, FAILED = KINDS = ("closed", "lacking", "failed")
_LENGTH = struct.Struct(">I")


def main(descriptor: int) -> None:
    """Serve devices until the minion closes the control socket."""
    # The minion created the sockets as non-blocking ones, for its greenlets.
    control = socket.socket(fileno=descriptor)
    control.setblocking(True)
    while True:
        _, descriptors, _, _ = socket.recv_fds(control, 1, 1)
        if not descriptors:
            # Threads may hang in drivers, so they are not joined.
            os._exit(0)
        line = socket.socket(fileno=descriptors[0])
        line.setblocking(True)
        threading.Thread(target=_serve, args=(line,), daemon=True).start()


def send(line: socket.socket, value: Any) -> None:
    """Send one frame."""
    line.sendall(_framed(value))


def receive(line: socket.socket) -> Any:
    """Return the value of the next frame; raises EOFError when the peer has closed."""
    (length,) = _LENGTH.unpack(_exactly(line, _LENGTH.size))
    return unpack(_exactly(line, length))


def _framed(value: Any) -> bytes:
    """Return a frame; values that msgpack cannot encode become text."""
    import msgpack

    body: bytes = msgpack.packb(value, default=str)
    return _LENGTH.pack(len(body)) + body


def _exactly(line: socket.socket, size: int) -> bytes:
    data = bytearray()
    while len(data) < size:
        part = line.recv(min(size - len(data), 1 << 16))
        if not part:
            raise EOFError
        data += part
    return bytes(data)


def _serve(line: socket.socket) -> None:
    """Serve one device until the minion closes its socket."""
    driver: Any = None
    with line, contextlib.suppress(EOFError, OSError, WireError):
        while True:
            method, args, kwargs = receive(line)
            try:
                if method == "open":
                    driver, answer = _opened(args[0], kwargs), None
                else:
                    answer = _called(driver, method, args, kwargs)
                frame = _framed([answer, "", ""])
            # A driver may raise anything, or return what cannot be encoded; the minion gets the text.
            except Exception as exc:
                frame = _framed([None, _kind(exc), " ".join(str(exc).split()) or type(exc).__name__])
            line.sendall(frame)
    if driver is not None:
        with contextlib.suppress(Exception):
            driver.close()


def _opened(name: str, arguments: Mapping[str, Any]) -> Any:
    import napalm  # Imported lazily: takes a second or two, once

    driver = napalm.get_network_driver(name)(**arguments)
    driver.open()
    return driver


def _called(driver: Any, method: str, args: list[Any], kwargs: Mapping[str, Any]) -> Any:
    found = None if method.startswith("_") else getattr(driver, method, None)
    if found is None:
        raise NotImplementedError(method)
    return found(*args, **kwargs)


def _kind(error: Exception) -> str:
    if isinstance(error, NotImplementedError):
        return UNSUPPORTED
    return CLOSED if type(error).__name__ == "ConnectionClosedException" else FAILED

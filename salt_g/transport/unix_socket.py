"""Listening UNIX sockets with a mode, and who is at the other end.

Why its own file: the event bus and the command line's socket both need them, and both must never be
wider open than they should, not even for a moment.
"""

from __future__ import annotations

import contextlib
import dataclasses
import errno
import os
import struct
from typing import Any

from gevent import socket

#: The kernel's limit for the path of a socket, in bytes.
LONGEST_PATH = 107
_CREDENTIALS = struct.Struct("3i")


@dataclasses.dataclass(frozen=True)
class Credentials:
    """Who is at the other end of a UNIX socket, as the kernel says."""

    pid: int
    uid: int
    gid: int


def listen(path: str, mode: int) -> Any:
    """Bind a UNIX socket, never wider open than `mode`; a left-over one is replaced. Raises OSError."""
    if len(os.fsencode(path)) > LONGEST_PATH:
        reason = (
            f"a socket's path may have {LONGEST_PATH} bytes, this one needs a shorter sock_dir or root_dir"
        )
        raise OSError(errno.ENAMETOOLONG, reason, path)
    with contextlib.suppress(FileNotFoundError):
        os.unlink(path)
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    # Nothing switches between these three lines, so no other greenlet makes files with this umask.
    before = os.umask(0o777 & ~mode)
    try:
        listener.bind(path)
    finally:
        os.umask(before)
    listener.listen(128)
    return listener


def credentials_of(peer: Any) -> Credentials:
    """Return who is at the other end."""
    return Credentials(
        *_CREDENTIALS.unpack(peer.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, _CREDENTIALS.size))
    )

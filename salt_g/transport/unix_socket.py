"""Listening UNIX sockets with a mode, and the credentials of their peers.

The sockets of the event bus and the command line must never be more accessible than intended, not even
briefly.
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
class PeerCredentials:
    """Credentials of a local peer, as reported by the kernel; -1 stands for an unknown value."""

    pid: int
    uid: int
    gid: int


def listen(path: str, mode: int) -> Any:
    """Bind a UNIX socket, replacing a stale one; it is never more accessible than `mode`. Raises OSError."""
    if len(os.fsencode(path)) > LONGEST_PATH:
        reason = f"a socket's path must not exceed {LONGEST_PATH} bytes; set a shorter sock_dir or root_dir"
        raise OSError(errno.ENAMETOOLONG, reason, path)
    with contextlib.suppress(FileNotFoundError):
        os.unlink(path)
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    # No greenlet switch occurs while the umask is changed, so no other greenlet creates files with it.
    before = os.umask(0o777 & ~mode)
    try:
        listener.bind(path)
    except OSError:
        listener.close()
        raise
    finally:
        os.umask(before)
    listener.listen(128)
    return listener


def credentials_of(peer: Any) -> PeerCredentials:
    """Return the credentials of the peer."""
    return PeerCredentials(
        *_CREDENTIALS.unpack(peer.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, _CREDENTIALS.size))
    )

"""Tell the service manager how a daemon is: the protocol of `sd_notify`.

Why its own file: a datagram on the socket that NOTIFY_SOCKET names, and nothing without it.
"""

from __future__ import annotations

import os
import socket
from collections.abc import Mapping
from typing import Any


def ready(status: Mapping[str, Any]) -> None:
    """Say that the daemon serves; `status` are further fields (`STATUS`, or our own `X_...`)."""
    _send({"READY": 1, **status})


def stopping() -> None:
    """Say that the daemon ends."""
    _send({"STOPPING": 1})


def _send(fields: Mapping[str, Any]) -> None:
    address = os.environ.get("NOTIFY_SOCKET", "")
    if not address:
        return
    if address.startswith("@"):
        address = "\0" + address[1:]
    text = "\n".join(f"{name}={value}" for name, value in fields.items())
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as notifier:
        try:
            notifier.sendto(text.encode(), address)
        except OSError:
            # A manager that does not listen any more must not end us.
            return

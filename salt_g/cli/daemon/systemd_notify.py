"""Notification of the service manager: the `sd_notify` protocol.

Sends datagrams to the socket in NOTIFY_SOCKET, and does nothing without it.
"""

from __future__ import annotations

import os
import socket
import time
from collections.abc import Mapping
from typing import Any


def ready(status: Mapping[str, Any]) -> None:
    """Send READY=1; `status` holds further fields (`STATUS`, or our own `X_...`)."""
    _send({"READY": 1, **status})


def stopping() -> None:
    """Send STOPPING=1."""
    _send({"STOPPING": 1})


def watchdog_interval() -> float:
    """Return the time between two pings (s), half of what the service manager allows; 0 without watchdog."""
    usec, pid = os.environ.get("WATCHDOG_USEC", ""), os.environ.get("WATCHDOG_PID", "")
    if not usec.isdecimal() or pid not in ("", str(os.getpid())):
        return 0.0
    return int(usec) / 2_000_000


def ping(interval: float) -> None:
    """Send WATCHDOG=1 every `interval` seconds, from the hub: a blocked hub misses its pings."""
    while True:
        _send({"WATCHDOG": 1})
        time.sleep(interval)


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
            # A service manager that no longer listens must not end the daemon.
            return

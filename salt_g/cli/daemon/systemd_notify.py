"""Notification of the service manager: the `sd_notify` protocol.

The protocol's environment variables are for this process only. They are removed from the environment, so that
programs started by the daemon (service scripts, hooks, `podman`) do not notify in the daemon's name.
"""

from __future__ import annotations

import dataclasses
import os
import socket
from collections.abc import Mapping, MutableMapping
from typing import Any

from salt_g.process.periodic_loop import PeriodicLoop


@dataclasses.dataclass(frozen=True)
class ServiceManager:
    """Service manager that started this process; without `address` nothing is sent.

    `interval` is the time between two pings (s), half of the time that the manager allows; 0 if no pings are
    expected.
    """

    address: str
    interval: float

    @classmethod
    def taken_from(cls, environment: MutableMapping[str, str]) -> ServiceManager:
        """Return the service manager of this process, and remove its variables from the environment."""
        address = environment.pop("NOTIFY_SOCKET", "")
        usec, pid = environment.pop("WATCHDOG_USEC", ""), environment.pop("WATCHDOG_PID", "")
        is_watched = usec.isdecimal() and pid in ("", str(os.getpid()))
        return cls(address, int(usec) / 2_000_000 if is_watched else 0.0)

    def ready(self, status: Mapping[str, Any]) -> None:
        """Send READY=1; `status` holds further fields (`STATUS`, or our own `X_...`)."""
        self._send({"READY": 1, **status})

    def stopping(self) -> None:
        """Send STOPPING=1."""
        self._send({"STOPPING": 1})

    def ping(self) -> None:
        """Send WATCHDOG=1 every `interval` seconds from the hub, so that a blocked hub misses its pings.

        A ping that cannot be sent is logged: a shortage of file descriptors must not end the daemon.
        """
        PeriodicLoop("watchdog", lambda: self._send({"WATCHDOG": 1}), self.interval).run()

    def _send(self, fields: Mapping[str, Any]) -> None:
        if not self.address:
            return
        address = "\0" + self.address[1:] if self.address.startswith("@") else self.address
        text = "\n".join(f"{name}={value}" for name, value in fields.items())
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as notifier:
            try:
                notifier.sendto(text.encode(), address)
            except OSError:
                # A service manager that no longer listens must not end the daemon.
                return

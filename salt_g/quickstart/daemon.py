"""Daemon of a temporary fleet: its settings, its process, and its ready notification.

A daemon reports over NOTIFY_SOCKET when it is ready, as it does to systemd. Units: seconds.
Errors: SaltGError with the daemon's last log lines if it exits or does not become ready in time.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import socket
import subprocess
import time
from collections.abc import Mapping, Sequence
from typing import Any

from salt_g.errors import SaltGError
from salt_g.process import deferred_signals, disk

#: Time limits for the start and the end of a daemon (s).
READY_WITHIN, END_WITHIN = 30.0, 10.0
#: Interval between checks whether a silent daemon is still running (s).
_LOOK_EVERY = 0.2
#: Maximum amount of a failed daemon's output that is shown (bytes).
_LAST_WORDS = 2000


class FleetDaemon:
    """Daemon with its directory; lifecycle: created, `start`, `wait_until_ready`, `stop`."""

    def __init__(
        self,
        directory: str,
        role: str,
        settings: Mapping[str, Any],
        program: Sequence[str],
        *,
        config_name: str = "",
    ) -> None:
        """Initialize; `config_name` is the name of the settings file, by default the role."""
        self._config_name = config_name or role
        self.directory = directory
        self.role = role
        self._settings = settings
        self._program = program
        self._process: subprocess.Popen[bytes] | None = None
        self._listener: socket.socket | None = None

    def start(self) -> None:
        """Write the settings and start the process."""
        disk.make_private_leaf(self.directory)
        self.configure()
        notified = os.path.join(self.directory, "notify")
        with contextlib.suppress(FileNotFoundError):
            os.unlink(notified)
        self._listener = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._listener.bind(notified)
        # Defer signals, because one between the start and the assignment would leave the process running.
        with open(self._output, "ab") as said, deferred_signals.deferred():
            self._process = subprocess.Popen(
                [*self._program, "-c", self.directory],
                stdin=subprocess.DEVNULL,
                stdout=said,
                stderr=said,
                # Ctrl-C must reach only the quickstart program, which stops its daemons in order.
                start_new_session=True,
                env={**os.environ, "NOTIFY_SOCKET": notified},
            )

    def configure(self, **settings: Any) -> None:
        """Add settings and write the settings file; they take effect at the next start."""
        self._settings = {**self._settings, **settings}
        with open(os.path.join(self.directory, self._config_name), "w", encoding="utf-8") as file:
            json.dump(self._settings, file, indent=2)

    def wait_until_ready(self) -> dict[str, str]:
        """Wait until the daemon is ready; return its status fields, such as `X_RET_PORT`."""
        assert self._listener is not None
        deadline = time.monotonic() + READY_WITHIN
        self._listener.settimeout(_LOOK_EVERY)
        while time.monotonic() < deadline:
            self.check()
            with contextlib.suppress(TimeoutError):
                notice = dict(line.split("=", 1) for line in self._listener.recv(4096).decode().splitlines())
                if notice.get("READY") == "1":
                    return notice
        raise self.late()

    def check(self) -> None:
        """Raise SaltGError if the process has ended."""
        if self._process is not None and self._process.poll() is not None:
            raise SaltGError(f"the {self.role} in {self.directory} ended unexpectedly:\n{self._last_words()}")

    def late(self) -> SaltGError:
        """Return the error for a daemon that was not ready in time."""
        late = f"the {self.role} in {self.directory} was not ready within {READY_WITHIN:g} s"
        return SaltGError(f"{late}:\n{self._last_words()}")

    def ask_to_end(self) -> None:
        """Send SIGTERM without waiting."""
        if self._process is not None and self._process.poll() is None:
            self._process.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        """Send SIGKILL without waiting."""
        if self._process is not None and self._process.poll() is None:
            self._process.kill()

    def stop(self) -> None:
        """Stop the process; kill it if it does not end."""
        self.ask_to_end()
        if self._process is not None:
            try:
                self._process.wait(END_WITHIN)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
            self._process = None
        if self._listener is not None:
            self._listener.close()
            self._listener = None

    @property
    def _output(self) -> str:
        return os.path.join(self.directory, "output")

    def _last_words(self) -> str:
        with open(self._output, "rb") as file:
            return file.read()[-_LAST_WORDS:].decode(errors="replace").strip() or "(no output)"

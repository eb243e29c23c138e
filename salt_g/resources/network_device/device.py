"""Network devices, and their connections to the worker process of the NAPALM drivers.

The drivers run in a separate process, because they would block the minion's other greenlets; see `worker.py`.
Units: seconds.
Errors: DeviceError, whose text contains no secret of the settings.
"""

from __future__ import annotations

import contextlib
import logging
import socket
import subprocess
import threading
from collections.abc import Mapping
from typing import Any

from salt_g.errors import CommandExecutionError, WireError
from salt_g.process.command import own_python
from salt_g.resource_model.pillar_settings import without_secrets
from salt_g.resources.network_device.worker import CLOSED, FAILED, UNSUPPORTED, receive, send
from salt_g.shapes import Arguments

log = logging.getLogger(__name__)

#: Default time limit of a device for connecting and responding (s).
TIMEOUT = 60.0
#: Time added to the driver's own limit, so that the driver's error arrives first (s).
GRACE = 15.0
#: Time limit for the worker to end (s).
ENDING = 3.0
#: Time limit for a worker to exit after it closed a connection (s).
SETTLING = 0.5


class DeviceError(CommandExecutionError):
    """Unreachable device, error of its driver, or method that the driver lacks."""


class Worker:
    """Worker process of the drivers, started for the first device and restarted if it has ended."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._control: socket.socket | None = None
        self._starting = threading.Lock()

    def line(self) -> socket.socket:
        """Return a connection to a new thread in the worker."""
        with self._starting:
            if self._process is None or self._process.poll() is not None:
                self._start()
        assert self._control is not None
        ours, theirs = socket.socketpair()
        with theirs:
            socket.send_fds(self._control, [b"d"], [theirs.fileno()])
        return ours

    def settle(self) -> None:
        """Wait briefly for a worker process that is ending, so that the next connection starts a new one."""
        if self._process is not None:
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(SETTLING)

    def end(self) -> None:
        """End the worker process."""
        process, self._process = self._process, None
        if self._control is not None:
            self._control.close()
        if process is not None:
            try:
                process.wait(ENDING)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()

    def _start(self) -> None:
        self.end()
        self._control, theirs = socket.socketpair()
        number = theirs.fileno()
        statement = f"from salt_g.resources.network_device.worker import main; main({number})"
        with theirs:
            # The worker gets a separate session, so that it survives the killing of a job's programs.
            self._process = subprocess.Popen(
                own_python(statement),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                pass_fds=[number],
                start_new_session=True,
            )


class Device:
    """Device from pillar; `settings` are those of stock's proxy minion."""

    def __init__(self, id: str, settings: Mapping[str, Any], worker: Worker) -> None:
        self._id = id
        self._settings = settings
        self._worker = worker
        self._line: socket.socket | None = None
        self.driver_name = str(settings["driver"])
        self.host = str(_first(settings, "host", "hostname", "fqdn", "ip") or "")
        self.is_kept = settings.get("always_alive", True) is not False
        self._timeout = float(settings.get("timeout") or TIMEOUT)

    def call(self, method: str, *args: Any, **kwargs: Any) -> Any:
        """Call a method of the driver; reconnect once if the device closed the connection."""
        given = {name: value for name, value in kwargs.items() if value is not None}
        self.connect()
        out, kind, text = self._asked(method, args, given)
        if kind == CLOSED:
            log.info("%s: the device closed the connection, connecting again", self._id)
            self.close()
            self.connect()
            out, kind, text = self._asked(method, args, given)
        if kind:
            raise self._error(method, kind, text)
        return out

    def connect(self) -> None:
        """Connect, unless already connected."""
        if self._line is not None:
            return
        try:
            self._line = self._worker.line()
        except OSError as exc:
            raise self._error(
                "open", FAILED, f"the process of NAPALM's drivers cannot be reached: {exc}"
            ) from exc
        _, kind, text = self._asked("open", [self.driver_name], self._given())
        if kind:
            self.close()
            raise self._error("open", FAILED, text)

    def close(self) -> None:
        """Close the socket to the worker, which then closes the connection to the device."""
        line, self._line = self._line, None
        if line is not None:
            line.close()

    def _asked(self, method: str, args: Any, kwargs: Mapping[str, Any]) -> tuple[Any, str, str]:
        """Call a method in the worker; return (result, kind of error, error text)."""
        line = self._line
        assert line is not None
        is_answered = False
        limit = self._timeout + GRACE
        try:
            line.settimeout(limit)
            send(line, [method, list(args), dict(kwargs)])
            out, kind, text = receive(line)
            is_answered = True
        except TimeoutError:
            return None, FAILED, f"no answer within {limit:g} s"
        except (EOFError, OSError, WireError):
            self._worker.settle()
            return None, FAILED, "the process of NAPALM's drivers has ended"
        finally:
            if not is_answered:
                # The driver may still be busy, and its late answer would be taken for that of the next call.
                with contextlib.suppress(OSError):
                    self.close()
        return out, str(kind), str(text)

    def _given(self) -> Arguments:
        optional = {"config_lock": False, **(self._settings.get("optional_args") or {})}
        if self.is_kept:
            optional.setdefault("keepalive", 5)
        return {
            "hostname": self.host,
            "username": str(_first(self._settings, "username", "user") or ""),
            "password": str(_first(self._settings, "passwd", "password", "pass") or ""),
            "timeout": int(self._timeout),
            "optional_args": optional,
        }

    def _error(self, method: str, kind: str, reason: str) -> DeviceError:
        given = self._given()
        port = given["optional_args"].get("port")
        place = f"{given['hostname'] or '[unspecified hostname]'}{f':{port}' if port else ''}"
        if kind == UNSUPPORTED:
            text = f"{method} is not implemented for the NAPALM {self.driver_name} driver!"
        elif method == "open":
            text = f"Cannot connect to {place} as {given['username']}. Reason: {reason}"
        else:
            text = f'Cannot execute "{method}" on {place} as {given["username"]}. Reason: {reason}!'
        return DeviceError(without_secrets(text, self._settings))


def _first(settings: Mapping[str, Any], *names: str) -> Any:
    return next((settings[name] for name in names if settings.get(name)), None)

"""One pillar worker as its master sees it: the process, its socket pair, its open requests.

Life: `start`, `run` until it ends, `end`. A worker that gives no sign of life for `SILENCE` is killed: a
template that never comes to an end must not take its place for ever.
Units: seconds.
"""

from __future__ import annotations

import contextlib
import logging
import pickle
import socket
import subprocess
import time
from collections.abc import Callable, Mapping
from typing import Any

import gevent
import gevent.lock

from salt_g.master.pillar_workers import frames
from salt_g.master.pillar_workers.relayed_log import LONGEST, write_here
from salt_g.process.command import own_python

log = logging.getLogger(__name__)

#: Requests that a worker has at once: while one waits for a program or a server, it goes on with others.
PLACES = 8
#: Interval of signs of life, and how long none may come.
LOOK = 10.0
SILENCE = 60.0
#: Largest message of its log (bytes): characters may be written as twelve.
_LOG_MESSAGE = 24 * LONGEST + 4096
_PROGRAM = (
    "from salt_g.process.monkey_patch import patch; patch(); "
    "from salt_g.master.pillar_workers.worker import main; main({work}, {logs})"
)


class WorkerProcess:
    """A worker; `on_answer(number, pillar)` is called for each answer."""

    def __init__(self, opts: Mapping[str, Any], on_answer: Callable[[int, Any], None]) -> None:
        self._opts = opts
        self._on_answer = on_answer
        self._sending = gevent.lock.Semaphore(1)
        self._process: Any = None
        self._link: Any = None
        self._logs: Any = None
        self._heard = 0.0
        #: Whether it has ever given a sign of life.
        self.has_lived = False
        self.places = gevent.lock.Semaphore(PLACES)

    @property
    def pid(self) -> int:
        """Process id."""
        return int(self._process.pid)

    def start(self) -> None:
        """Start the process; raises OSError."""
        self._link, work = socket.socketpair()
        self._logs, logs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with work, logs:
            self._process = subprocess.Popen(
                own_python(_PROGRAM.format(work=work.fileno(), logs=logs.fileno())),
                stdin=subprocess.DEVNULL,
                pass_fds=(work.fileno(), logs.fileno()),
            )
        self._send(pickle.dumps((logging.root.level, dict(self._opts))))

    def send(self, number: int, wanted: tuple[Any, ...]) -> None:
        """Send a request; raises OSError when the process has ended."""
        self._send(pickle.dumps((number, tuple(wanted))))

    def run(self) -> None:
        """Receive answers until the process ends."""
        while (frame := frames.receive(self._link)) is not None:
            self._heard, self.has_lived = time.monotonic(), True
            if frame:
                self._on_answer(*frames.unpack_answer(frame))

    def watch(self) -> None:
        """Ask for signs of life; kill the process when there is none for `SILENCE`, which ends `run`."""
        self._heard = time.monotonic()
        while time.monotonic() - self._heard < SILENCE:
            # A worker that does not even read has its buffer full.
            with contextlib.suppress(gevent.Timeout), gevent.Timeout(LOOK):
                self._send(b"")
            gevent.sleep(LOOK)
        log.error("pillar worker %d gives no sign of life for %d s and is killed", self.pid, SILENCE)
        self._process.kill()

    def relay_log(self) -> None:
        """Write the records of the worker to our log until it ends."""
        with contextlib.suppress(OSError):
            while message := self._logs.recv(_LOG_MESSAGE):
                try:
                    write_here(message)
                except (ValueError, TypeError, KeyError) as exc:
                    log.warning("pillar worker %d: a log record cannot be read: %s", self.pid, exc)

    def end(self) -> int | None:
        """Kill what is left of the process and close all; return its exit code (negative: a signal)."""
        for one in (self._link, self._logs):
            if one is not None:
                one.close()
        if self._process is None:
            return None
        with contextlib.suppress(ProcessLookupError):
            self._process.kill()
        code: int | None = self._process.wait()
        return code

    def _send(self, data: bytes) -> None:
        with self._sending:
            frames.send(self._link, data)

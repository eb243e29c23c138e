"""Orderly shutdown of a call on SIGTERM and SIGHUP, as on Ctrl-C, including the processes that it started.

These processes run in separate process groups, which get no signal from a closing terminal or `timeout`, so
the call itself must end them.
"""

from __future__ import annotations

import signal
import sys
from types import FrameType


class Terminated(KeyboardInterrupt):
    """Raised on a termination signal; propagates like KeyboardInterrupt."""

    def __init__(self, number: int) -> None:
        self.number = number
        #: Exit code as reported by shells.
        self.code = 128 + number
        super().__init__(number)


def listen() -> None:
    """Install handlers that raise Terminated on termination signals, except ignored ones (`nohup`)."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) in (signal.SIG_DFL, signal.default_int_handler):
            signal.signal(number, _end)


def _end(number: int, frame: FrameType | None) -> None:
    terminated = Terminated(number)
    command = sys.modules.get("salt_g.process.command")
    if command is not None:
        # Parallel states run in threads: the exception does not reach them, and the exit waits for them, so
        # their processes are killed.
        command.outside.end_all(signal.SIGKILL, terminated)
        if command.is_starting(frame):
            # The exception is raised later, once the pid of the starting process is known, so that the
            # process can be ended.
            return
    raise terminated

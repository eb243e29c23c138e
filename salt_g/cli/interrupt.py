"""Ctrl-C and other signals that end a command: handlers and exit codes.

Ctrl-C raises KeyboardInterrupt. A command that follows a job catches it to print how to keep following it
(`cmd/job_output.py`, `cmd/batch_output.py`, `cmd/rollout_output.py`); elsewhere `dispatch.py` turns it into
an exit code. Daemons have handlers of their own (`daemon/daemon_signals.py`).
"""

from __future__ import annotations

import signal
import sys
from types import FrameType

import salt_g.cli.exit_codes as exit_codes


class Terminated(KeyboardInterrupt):
    """Raised when Ctrl-C or a termination signal ends a call; propagates like KeyboardInterrupt."""

    def __init__(self, number: int) -> None:
        self.number = number
        #: Exit code as reported by shells.
        self.code = 128 + number
        super().__init__(number)


def exit_code(interrupt: KeyboardInterrupt) -> int:
    """Return the exit code of a command that an interrupt ended."""
    return interrupt.code if isinstance(interrupt, Terminated) else exit_codes.INTERRUPTED


def exit_on_termination() -> None:
    """Install handlers that raise SystemExit on SIGTERM and SIGHUP, so that `finally` blocks run."""
    for number in (signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) == signal.SIG_DFL:
            signal.signal(number, _exit)


def end_with_processes() -> None:
    """Install handlers that end the processes that a call started, and raise Terminated.

    These processes run in separate process groups, which get no signal from a terminal or `timeout`, so the
    call itself must end them. Ignored signals (`nohup`) stay ignored.
    """
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) in (signal.SIG_DFL, signal.default_int_handler):
            signal.signal(number, _end)


def _exit(number: int, frame: FrameType | None) -> None:
    raise SystemExit(128 + number)


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

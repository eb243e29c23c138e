"""Let SIGTERM and SIGHUP end a call as Ctrl-C does: with what it has started.

Why its own file: programs run in process groups of their own, which neither a terminal that closes nor
`timeout` reaches; only a call that ends in order ends them too.
"""

from __future__ import annotations

import signal
import sys
from types import FrameType


class Terminated(KeyboardInterrupt):
    """A signal told the program to end; whatever lets Ctrl-C pass lets this pass."""

    def __init__(self, number: int) -> None:
        #: The exit code, as shells report it.
        self.code = 128 + number
        super().__init__(number)


def listen() -> None:
    """Raise Told for the signals that end a program, unless they are ignored (`nohup`)."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) in (signal.SIG_DFL, signal.default_int_handler):
            signal.signal(number, _end)


def _end(number: int, frame: FrameType | None) -> None:
    told = Terminated(number)
    command = sys.modules.get("salt_g.process.command")
    if command is not None:
        # Those of parallel states run in threads, which no exception reaches and which are waited for.
        command.outside.end(signal.SIGKILL, told)
        if command.is_starting(frame):
            # Raised as soon as the program is known, and ended.
            return
    raise told

"""Background start of a daemon, and the report of its outcome to the starting process.

The starting process waits on a pipe until the daemon is ready or exits. Thus `salt-g master -d` fails if the
master fails to start, errors appear on the terminal, and the next command finds a ready master.
"""

from __future__ import annotations

import os
import sys

import salt_g.cli.exit_codes as exit_codes


class Starter:
    """Process that waits until the daemon is ready; without a `pipe` (in the foreground) there is none."""

    def __init__(self, pipe: int | None = None) -> None:
        self._pipe = pipe

    @property
    def is_waiting(self) -> bool:
        """Whether a starting process waits, that is, whether this daemon runs in the background."""
        return self._pipe is not None

    def notify_ready(self) -> None:
        """Notify the starting process that the daemon is ready; detach the output from the terminal."""
        if self._pipe is None:
            return
        _redirect_to_null(1, 2)
        os.write(self._pipe, b"!")
        os.close(self._pipe)
        self._pipe = None


def leave_foreground() -> Starter:
    """Fork into the background; the original process exits once the daemon is ready or has failed."""
    reading, writing = os.pipe()
    child = os.fork()
    if child:
        os.close(writing)
        os.waitpid(child, 0)
        # End of file means that the daemon has exited, since it held the only writing end.
        sys.exit(exit_codes.OK if os.read(reading, 1) else exit_codes.FAILED)
    os.close(reading)
    os.setsid()
    # A session leader could acquire a controlling terminal again; its child cannot.
    if os.fork():
        os._exit(exit_codes.OK)
    _redirect_to_null(0)
    return Starter(writing)


def _redirect_to_null(*streams: int) -> None:
    null = os.open(os.devnull, os.O_RDWR)
    for stream in streams:
        os.dup2(null, stream)
    os.close(null)

"""Go to the background, and tell whoever started the daemon how its start went.

Why its own file: the starter waits on a pipe until the daemon serves or is gone, so `salt-g master -d`
fails when the master does, its reasons are on the terminal, and the next command finds it ready.
"""

from __future__ import annotations

import os
import sys

import salt_g.cli.exit_codes as exit_codes


class Starter:
    """Who waits for the daemon to serve; nobody, for one in the foreground."""

    def __init__(self, pipe: int | None = None) -> None:
        self._pipe = pipe

    @property
    def is_waiting(self) -> bool:
        """Whether anybody waits, so that the daemon is one in the background."""
        return self._pipe is not None

    def tell_ready(self) -> None:
        """Let the starter go, and say no more on its terminal."""
        if self._pipe is None:
            return
        _point_at_nothing(1, 2)
        os.write(self._pipe, b"!")
        os.close(self._pipe)
        self._pipe = None


def leave_foreground() -> Starter:
    """Return in the background; the process that was called waits for the daemon to serve or fail."""
    listening, telling = os.pipe()
    child = os.fork()
    if child:
        os.close(telling)
        os.waitpid(child, 0)
        # Nothing to read means that the daemon has ended, and every end of the pipe with it.
        sys.exit(exit_codes.OK if os.read(listening, 1) else exit_codes.FAILED)
    os.close(listening)
    os.setsid()
    # A leader of a session could get a terminal again; its child cannot.
    if os.fork():
        os._exit(exit_codes.OK)
    _point_at_nothing(0)
    return Starter(telling)


def _point_at_nothing(*streams: int) -> None:
    null = os.open(os.devnull, os.O_RDWR)
    for stream in streams:
        os.dup2(null, stream)
    os.close(null)

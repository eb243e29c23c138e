"""Signal handlers of a daemon.

SIGTERM and SIGINT shut it down, SIGHUP reopens its log files, SIGUSR1 logs what its threads and greenlets do.
"""

from __future__ import annotations

import logging
import os
import signal
from collections.abc import Mapping
from typing import Any

import gevent
import gevent.signal

from salt_g.cli import exit_codes
from salt_g.process.offload import unpatched
from salt_g.process.stacks import all_stacks
from salt_g.telemetry import log


class ShutdownRequested(BaseException):
    """Raised in the main greenlet when a signal requests shutdown."""


def listen(opts: Mapping[str, Any]) -> None:
    """Install the handlers; a second request for shutdown ends the process at once."""
    main = gevent.getcurrent()
    received = 0

    def end() -> None:
        nonlocal received
        received += 1
        if received > 1:
            os._exit(exit_codes.FAILED)
        gevent.kill(main, ShutdownRequested())

    gevent.signal_handler(signal.SIGTERM, end)
    gevent.signal_handler(signal.SIGINT, end)
    # Registered with Python and not with the hub, so that it also works while the hub is blocked.
    signal.signal(signal.SIGUSR1, lambda number, frame: _log_stacks())
    # In stock this signal starts and stops the master's profiler; without a handler it would end the daemon.
    gevent.signal_handler(signal.SIGUSR2, _note_no_profiler)
    # Reopen log files after log rotation.
    gevent.signal_handler(signal.SIGHUP, lambda: log.set_up(opts, counts_floods=True))


def _note_no_profiler() -> None:
    message = "SIGUSR2: there is no profiler here; SIGUSR1 logs what the daemon does, `salt-g top` shows it"
    logging.getLogger(__name__).warning("%s", message)


def _log_stacks() -> None:
    """Log the stacks of all threads and greenlets from a native thread, because the hub may be blocked."""
    unpatched("start_new_thread")(logging.getLogger(__name__).warning, ("%s", all_stacks()))

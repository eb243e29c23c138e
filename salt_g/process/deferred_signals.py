"""Blocks of code that no signal handler interrupts.

A handler that raises (Ctrl-C, or an orderly end on SIGTERM) can interrupt code anywhere, even between the
start of a process and its assignment to a variable; nothing could end that process afterwards.
"""

from __future__ import annotations

import contextlib
import signal
import threading
from collections.abc import Iterator

#: Signals that ask a program to end.
TERMINATING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


@contextlib.contextmanager
def deferred() -> Iterator[None]:
    """Defer terminating signals during the block, and call their handlers when it has ended.

    The mask of the process is not changed, because started processes would inherit it. Ignored signals stay
    ignored (`nohup`), for started processes too. In threads other than the main one, which run no handlers,
    the block just runs.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    arrived: list[int] = []
    handlers = {
        number: handler
        for number in TERMINATING
        if (handler := signal.getsignal(number)) not in (signal.SIG_IGN, None)
    }
    try:
        for number in handlers:
            signal.signal(number, lambda number, frame: arrived.append(number))
        yield
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)
        # The handler of the first signal usually raises, which ends the program; repeated signals then have
        # no further effect.
        for late in arrived:
            signal.raise_signal(late)

"""Accept loop of a listening socket, for servers that serve each connection in a greenlet.

`listener.py` accepts in callbacks of the hub instead, and has a policy of its own.
Units: seconds.
"""

from __future__ import annotations

import errno
import logging
from collections.abc import Callable
from typing import Any

import gevent

log = logging.getLogger(__name__)

#: Pause after a connection could not be accepted, usually for lack of file descriptors (s).
PAUSE = 0.5
#: Errors after which the listening socket can still be used.
_PASSING = (errno.EMFILE, errno.ENFILE, errno.ECONNABORTED)


def accept_connections(
    listener: Any, failure: str, admit: Callable[[Any, Any], object], *, pause: float = PAUSE
) -> None:
    """Call `admit(connection, address)` for each connection, until the greenlet ends.

    A connection that cannot be accepted is logged, with `failure` before the reason; raises OSError for other
    errors of the listening socket.
    """
    while True:
        try:
            connection, address = listener.accept()
        except OSError as exc:
            if exc.errno not in _PASSING:
                raise
            log.warning("%s: %s", failure, exc)
            gevent.sleep(pause)
            continue
        admit(connection, address)

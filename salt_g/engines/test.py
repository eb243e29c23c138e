"""Engine that logs all events of the daemon's bus, at level debug."""

from __future__ import annotations

import json
import logging

from salt_g.api import services

log = logging.getLogger(__name__)

#: Timeout of one wait for an event (s); the engine then waits again.
_TIMEOUT = 60.0


def start() -> None:
    """Log events until the daemon ends.

    Example::

        salt-g master    # with `engines: [test]`
    """
    with services().events.watch() as watch:
        log.debug("test engine started")
        while True:
            event = watch.get(_TIMEOUT)
            if event is not None:
                log.debug("%s", json.dumps({"tag": event.tag, "data": event.data}, default=str))

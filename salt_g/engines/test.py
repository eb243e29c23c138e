"""Write all events of the daemon's bus into its log, at level debug."""

from __future__ import annotations

import json
import logging

from salt_g.api import services

log = logging.getLogger(__name__)

#: How long one wait for an event takes (s); only then the engine looks whether it is to end.
_TIMEOUT = 60.0


def start() -> None:
    """Write events until the daemon ends.

    Example::

        salt-g master    # with `engines: [test]`
    """
    with services().events.watch() as watch:
        log.debug("test engine started")
        while True:
            event = watch.get(_TIMEOUT)
            if event is not None:
                log.debug("%s", json.dumps({"tag": event.tag, "data": event.data}, default=str))

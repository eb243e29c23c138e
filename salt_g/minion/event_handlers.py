"""Answer events of the minion's bus by a table of tags.

Why its own file: refreshes, and schedule with beacons, have a table each and are served alike.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from typing import Any

from salt_g.event.bus import Subscription

log = logging.getLogger(__name__)

#: The data of an event.
Data = Mapping[str, Any]
#: {tag: what answers its events}
Handlers = Mapping[str, Callable[[Data], None]]


def serve(subscription: Subscription, handlers: Handlers) -> None:
    """Answer events as they come, until the subscription ends; it brings tags of the table only."""
    for event in subscription:
        try:
            handlers[event.tag](event.data)
        # One event of whoever may fire here; the next one is served all the same.
        except Exception:
            log.exception("event %s was not served", event.tag)

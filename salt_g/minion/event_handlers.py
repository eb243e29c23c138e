"""Dispatch of events on the minion's bus to handlers in a table by tag.

Refresh events have one table, schedule and beacon events another.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from typing import Any

from salt_g.event.bus import Subscription

log = logging.getLogger(__name__)

#: Data of an event.
Data = Mapping[str, Any]
#: {tag: handler of its events}
Handlers = Mapping[str, Callable[[Data], None]]


def serve(subscription: Subscription, handlers: Handlers) -> None:
    """Handle the events of a subscription until it ends; it must be limited to the tags of `handlers`."""
    for event in subscription:
        try:
            handlers[event.tag](event.data)
        # Any local program may fire an event, and its handler may call plugins: an error must affect only
        # this event.
        except (Exception, SystemExit):
            log.exception("handling of event %s failed", event.tag)

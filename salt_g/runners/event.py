"""Events on the master's bus."""

from __future__ import annotations

from salt_g.api import services
from salt_g.services.daemons import MasterServices
from salt_g.shapes.loads import EventData


def send(tag: str, data: EventData | None = None) -> bool:
    """Fire an event; the tag is used unchanged.

    Example::

        salt-g run event.send my/custom/event '{"foo": "bar"}'
    """
    services(MasterServices).events.fire(tag, data or {})
    return True

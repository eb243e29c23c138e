"""Events on the master's bus."""

from __future__ import annotations

from typing import Any

from salt_g.api import services


def send(tag: str, data: dict[str, Any] | None = None) -> bool:
    """Fire an event; the tag is used unchanged.

    Example::

        salt-g run event.send my/custom/event '{"foo": "bar"}'
    """
    services().events.fire(tag, data or {})
    return True

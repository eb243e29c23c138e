"""Destination of an engine's events: on a master its bus, on a minion its master.

On a minion without a master (`file_client: local`) events are fired on its own bus.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from salt_g.api import call, opts, services


def is_master() -> bool:
    """Return whether the engine runs in a master."""
    return bool(opts.get("__role") == "master")


def fire(tag: str, data: Mapping[str, Any]) -> bool:
    """Fire an event; return whether it was sent."""
    if is_master():
        services().events.fire(tag, dict(data))
        return True
    return bool(call("event.send", tag, dict(data)))

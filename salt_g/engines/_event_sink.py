"""Where an engine's events go: on a master to its bus, on a minion to its master.

Why its own file: all engines that tell something do it in the same way. A minion without a master
(`file_client: local`) tells its own bus.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from salt_g.api import call, opts, services


def is_master() -> bool:
    """Return whether the engine runs in a master."""
    return bool(opts.get("__role") == "master")


def fire(tag: str, data: Mapping[str, Any]) -> bool:
    """Fire an event; return whether it went out."""
    if is_master():
        services().events.fire(tag, dict(data))
        return True
    return bool(call("event.send", tag, dict(data)))

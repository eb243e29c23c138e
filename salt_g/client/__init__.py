"""Clients of a master under stock's names: `LocalClient().cmd("*", "test.ping")`.

Begin with `link.py`, the connection to a master; `local.py` publishes jobs and collects their returns,
`return_collector.py` decides the verdict on each minion. Names are imported on first access, because the
command line needs only a few of them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from salt_g.client.caller import Caller
    from salt_g.client.event_bus import LocalEventBus
    from salt_g.client.local import LocalClient
    from salt_g.client.runner import RunnerClient
    from salt_g.client.wheel import WheelClient

__all__ = ["Caller", "LocalClient", "LocalEventBus", "RunnerClient", "WheelClient"]

_FILES = {
    "Caller": "caller",
    "LocalClient": "local",
    "LocalEventBus": "event_bus",
    "RunnerClient": "runner",
    "WheelClient": "wheel",
}


def __getattr__(name: str) -> Any:
    if name not in _FILES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    import importlib

    return getattr(importlib.import_module(f"{__name__}.{_FILES[name]}"), name)

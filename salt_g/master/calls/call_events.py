"""Event bus of a master for runner and wheel functions, whose events are stripped of pillar secrets."""

from __future__ import annotations

from typing import Any

from salt_g.event.bus import Bus, Subscription
from salt_g.event.ring import Event
from salt_g.process.secret_hiding import hide
from salt_g.shapes.loads import EventFields

#: Prefix of the tags of a call's events, which contain the arguments of the calls inside it.
_OF_CALLS = "salt/run/"


class CallEvents:
    """Event bus of one call, see `services.protocols.Events`; `patterns` is the setting `pillar_secrets`."""

    def __init__(self, bus: Bus, patterns: Any) -> None:
        self._bus = bus
        self._patterns = patterns

    def fire(self, tag: str, data: EventFields) -> Event:
        """Fire an event; hide known secrets, and secret values in the `pillar` arguments of calls."""
        if self._patterns and tag.startswith(_OF_CALLS):
            from salt_g.pillar.secret_paths import without_secrets  # Imported lazily: for secrets only.

            data = without_secrets(data, self._patterns)
        return self._bus.fire(tag, hide(data))

    def watch(self, tag: str = "", way: str = "startswith") -> Subscription:
        """Subscribe to the events whose tags match `tag`, from now on."""
        return self._bus.watch(tag, way)

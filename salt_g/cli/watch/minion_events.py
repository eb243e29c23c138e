"""Follow the event bus of the minion on this machine, for `salt-g event --minion`.

Why its own file: a minion's bus takes no wishes, and what it says has to look like a master's link.
Units: seconds.
Errors: ClientError when no minion runs here, and when it ends.
"""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from typing import Any

from salt_g.client.link import Event
from salt_g.errors import ClientError
from salt_g.minion.bus_link import BusLink
from salt_g.net import event_bus_addresses


class MinionEvents:
    """Every event of the minion with these settings, from now on."""

    def __init__(self, opts: Mapping[str, Any]) -> None:
        """Connect; raises ClientError."""
        self._path = event_bus_addresses.of_minion(opts).pub
        self._held = contextlib.ExitStack()
        try:
            self._watch = self._held.enter_context(BusLink(opts).watch())
        except OSError as exc:
            raise ClientError(
                f"the bus of the minion {opts['id']} cannot be used: {self._path}: {exc.strerror};"
                " is the minion running?"
            ) from exc

    def next_event(self, timeout: float) -> Event | None:
        """Return the next event, None when none came in time; raises ClientError when the minion ends."""
        event = self._watch.get(timeout)
        if event is None and self._watch.is_closed:
            raise ClientError(f"the minion has closed {self._path}; was it stopped?")
        return None if event is None else Event(*event)

    def close(self) -> None:
        """Hang up."""
        self._held.close()

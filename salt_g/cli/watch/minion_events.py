"""Events of the minion on this machine, for `salt-g event --minion`.

A minion's bus has no subscriptions; this class gives the bus the interface of a connection to the master.
Units: seconds.
Errors: ClientError if no minion is running here, or if it ends.
"""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

from salt_g.client.link import MasterEvent
from salt_g.errors import ClientError
from salt_g.minion.bus_client import MinionBusClient
from salt_g.net import event_bus_addresses

if TYPE_CHECKING:
    from salt_g.shapes import Opts


class MinionEventStream:
    """Connection to the event bus of the minion with these settings."""

    def __init__(self, opts: Opts) -> None:
        """Connect to the minion's bus; raise ClientError if no minion is running here."""
        self._path = event_bus_addresses.of_minion(opts).pub
        self._held = contextlib.ExitStack()
        try:
            self._watch = self._held.enter_context(MinionBusClient(opts).watch())
        except OSError as exc:
            raise ClientError(
                f"the bus of the minion {opts['id']} is not available: {self._path}: {exc.strerror};"
                " is the minion running?"
            ) from exc

    def next_event(self, timeout: float) -> MasterEvent | None:
        """Return the next event, or None on timeout; raise ClientError when the minion ends."""
        event = self._watch.get(timeout)
        if event is None and self._watch.is_closed:
            raise ClientError(f"the minion has closed {self._path}; was it stopped?")
        return None if event is None else MasterEvent(*event)

    def close(self) -> None:
        """Close the connection."""
        self._held.close()

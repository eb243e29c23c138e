"""Evacuation of a master cut off from the database: its minions are sent to other masters.

Such a master would relay no jobs to its minions and answer no requests except for files. So its publish port
is closed until the database answers again, and a minion with several masters tries the next one; if all
masters are cut off, minions come back to the first one that answers again.
Units: seconds.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Protocol

from salt_g.cluster.membership import REFUSE
from salt_g.process.periodic_loop import PeriodicLoop

log = logging.getLogger(__name__)

#: Silence of the database after which minions are sent away, and the pause between two checks.
AWAY, LOOK = 30.0, 1.0


class ClosablePort(Protocol):
    """Port that can be closed for some time."""

    def close_for_now(self) -> None:
        """Close the port and all its connections."""

    def open_again(self) -> None:
        """Open the port again; raises OSError."""


class Evacuation:
    """Evacuation of one master. Lifecycle: `run` in a greenlet.

    `silent` returns the time since the database last answered; `set_aside` remembers the minions that were
    connected.
    """

    def __init__(
        self, port: ClosablePort, silent: Callable[[], float], set_aside: Callable[[], None]
    ) -> None:
        self._port = port
        self._silent = silent
        self._set_aside = set_aside
        self.is_closed = False

    def run(self) -> None:
        """Watch the database until the greenlet ends."""
        PeriodicLoop("cluster evacuation", self.look, LOOK).run()

    def look(self) -> None:
        """Close the port or open it again, as needed; raises OSError."""
        silent = self._silent()
        if not self.is_closed and silent > AWAY:
            log.error(
                "the database has been unreachable for %.0f s: minions are sent to other masters", silent
            )
            self._set_aside()
            self.is_closed = True
            self._port.close_for_now()
        elif self.is_closed and silent < REFUSE:
            self._port.open_again()
            self.is_closed = False
            log.warning("the database answers again, so minions can connect")

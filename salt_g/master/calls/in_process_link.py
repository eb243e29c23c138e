"""In-process link of clients inside the master: same calls, no socket.

Runners, reactor and orchestration publish jobs and follow them like any program, but their requests go to the
handlers directly.
"""

from __future__ import annotations

from salt_g.client.bus_link import BusLink
from salt_g.event.bus import Bus
from salt_g.master.calls.authorization import Caller
from salt_g.master.calls.ipc_server import Answer


class InProcessLink(BusLink):
    """Link of one client to its own master; connected when created, closed by `close`. It has one reader."""

    def __init__(self, answer: Answer, bus: Bus, caller: Caller, *, name: str = "inner") -> None:
        """Initialize; `answer` serves clear commands; `caller` is the user on whose behalf they are sent.

        The handlers have their own time limits.
        """
        super().__init__(lambda load, timeout: answer(load, caller), bus, name=name)

"""Stock's `RunnerClient`: run runner functions on the master.

The functions always run in the master process.
Units: seconds.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from salt_g.client.link import MasterEvent
from salt_g.client.master_calls import TIMEOUT, MasterCalls

if TYPE_CHECKING:
    from salt_g.shapes import Arguments
    from salt_g.shapes.loads import Answers, CallLow, Load


class RunnerClient(MasterCalls):
    """Client for runner functions."""

    kind = "runner"

    def cmd_sync(self, low: CallLow, timeout: float | None = None, full_return: bool = False) -> Any:
        """Run a function and return its value or, with `full_return`, {"tag", "data"} of its last event."""
        tag = self.ask(low, follow=True)["tag"]
        last = MasterEvent(tag, {})
        try:
            for event in self.events_of(tag, TIMEOUT if timeout is None else timeout):
                last = event
        finally:
            self.link.unsubscribe(tag)
        return {"tag": last.tag, "data": last.data} if full_return else last.data.get("return")

    def cmd_async(self, low: CallLow) -> Answers:
        """Start a function; return the {"tag", "jid"} of its events."""
        return self.ask(low, follow=False)

    def packed(self, args: list[Any], kwargs: Arguments) -> Load:
        """Return the fields that carry the arguments, all inside `kwarg` as stock's masters expect."""
        return {"kwarg": {"arg": args, "kwarg": kwargs}}

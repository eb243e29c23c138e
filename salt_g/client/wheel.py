"""Stock's `WheelClient`: run wheel functions (keys, configuration, files) on the master.

The master answers when the function has ended.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from salt_g.client.master_calls import TIMEOUT, MasterCalls

if TYPE_CHECKING:
    from salt_g.shapes.loads import Answers, CallLow


class WheelClient(MasterCalls):
    """Client for wheel functions."""

    kind = "wheel"
    #: Arguments are not parsed, because names of keys and the like may look like numbers.
    reads_words = False

    def call_func(self, fun: str, **kwargs: Any) -> Any:
        """Run a function with these keywords and return its value."""
        return self.cmd(fun, kwarg=kwargs)

    def cmd_sync(self, low: CallLow, timeout: float | None = None, full_return: bool = False) -> Answers:
        """Run a function; return {"tag", "data": {"return", "success", "jid", ...}}."""
        return self.ask(low, follow=False, timeout=TIMEOUT if timeout is None else timeout)

    def cmd_async(self, low: CallLow) -> Answers:
        """Run a function; return {"tag", "jid"} of its events."""
        done = self.cmd_sync(low)
        return {"tag": done["tag"], "jid": done.get("data", {}).get("jid")}

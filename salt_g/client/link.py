"""Protocol of a connection from a program to a master.

Clients (`local.py`, `runner.py`, ...) work the same way over our socket (`unix_link.py`), over the sockets of
a stock master (`stock_link.py`), inside the master and in tests.
Units: seconds.
Errors: MasterUnreachable if the master does not answer.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from salt_g.event import tags
from salt_g.event.matching import accepts

if TYPE_CHECKING:
    from salt_g.shapes.loads import EventData, Load

#: Maximum number of subscribed tags of one connection; the oldest is dropped.
MAX_SUBSCRIPTIONS = 1000
#: Prefixes of the tags of jobs and calls, by kind.
STARTED = ("salt/job/", "salt/run/", "salt/wheel/", "salt/batch/")


class MasterEvent(NamedTuple):
    """Event on the master's bus."""

    tag: str
    data: EventData


class Link(Protocol):
    """Connection to a master; lifecycle: connected on creation or first use, `close`."""

    def ask(self, load: Load, *, timeout: float, follow: bool = False) -> Any:
        """Send a clear command (`cmd` and its fields) with the caller's credentials; return the reply.

        With `follow`, subscribe to the events of the job, runner or wheel function in the reply, from
        its very first event.
        """

    def subscribe(self, tag: str, way: str = "startswith") -> None:
        """Subscribe to matching tags."""

    def unsubscribe(self, tag: str, way: str = "startswith") -> None:
        """Cancel a subscription."""

    def next_event(self, timeout: float) -> MasterEvent | None:
        """Return the next subscribed event, or None on timeout."""

    def fire(self, tag: str, data: EventData) -> None:
        """Fire an event on the master's bus."""

    def close(self) -> None:
        """Close the connection."""


class TagFilter:
    """Bounded set of tag subscriptions."""

    def __init__(self, most: int = MAX_SUBSCRIPTIONS) -> None:
        self._most = most
        self._subscriptions: dict[tuple[str, str], Callable[[str], bool]] = {}

    def __len__(self) -> int:
        return len(self._subscriptions)

    def add(self, tag: str, way: str = "startswith") -> None:
        """Add a subscription; raise TargetError for an unknown match type."""
        self._subscriptions.pop((tag, way), None)
        self._subscriptions[tag, way] = accepts(tag, way)
        if len(self._subscriptions) > self._most:
            self.remove(*next(iter(self._subscriptions)))

    def remove(self, tag: str, way: str = "startswith") -> None:
        """Remove a subscription."""
        self._subscriptions.pop((tag, way), None)

    def want(self, tag: str) -> bool:
        """Return whether any subscription matches a tag."""
        return any(accepts(tag) for accepts in self._subscriptions.values())


def followed_tags(reply: Any) -> list[str]:
    """Return the tag prefixes to subscribe to after a reply; for a batch, also the prefix of its job."""
    if not isinstance(reply, dict):
        return []
    tag, load = reply.get("tag"), reply.get("load")
    if isinstance(tag, str):
        return [tag, tags.job(str(reply.get("jid")))] if tag.startswith("salt/batch/") else [tag]
    jid = load.get("jid") if isinstance(load, dict) else None
    return [tags.job(jid)] if isinstance(jid, str) and jid else []

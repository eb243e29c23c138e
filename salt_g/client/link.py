"""The way from a program to a master, as a protocol.

Why its own file: what asks and gathers (`local.py`, `runner.py`, ...) is the same over our socket
(`unix_link.py`), over the sockets of a stock master (`stock_link.py`), inside of the master and in tests.
Units: seconds.
Errors: MasterUnreachable when the master does not answer.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, Protocol

from salt_g.event import tags
from salt_g.event.matching import accepts

#: Tags that one link follows at most; the oldest is forgotten.
MAX_WISHES = 1000
#: How the tags of what can be started begin.
STARTED = ("salt/job/", "salt/run/", "salt/wheel/", "salt/batch/")


class Event(NamedTuple):
    """An event of the master's bus."""

    tag: str
    data: dict[str, Any]


class Link(Protocol):
    """A way to a master; life: made connected, or on first use; `close`."""

    def ask(self, load: dict[str, Any], *, timeout: float, follow: bool = False) -> Any:
        """Send a clear command (`cmd` and its fields) and return the reply; the link proves who asks.

        With `follow`, the events of the job, runner or wheel function that the reply names are
        followed, from its very first one.
        """

    def subscribe(self, tag: str, way: str = "startswith") -> None:
        """Follow the events whose tags are meant."""

    def unsubscribe(self, tag: str, way: str = "startswith") -> None:
        """Follow them no more."""

    def next_event(self, timeout: float) -> Event | None:
        """Return the next event that is followed, None when none came in time."""

    def fire(self, tag: str, data: dict[str, Any]) -> None:
        """Fire an event on the master's bus."""

    def close(self) -> None:
        """Hang up."""


class TagFilter:
    """Which tags somebody follows; bounded."""

    def __init__(self, most: int = MAX_WISHES) -> None:
        self._most = most
        self._wishes: dict[tuple[str, str], Callable[[str], bool]] = {}

    def __len__(self) -> int:
        return len(self._wishes)

    def add(self, tag: str, way: str = "startswith") -> None:
        """Add a wish; raises TargetError for a way that does not exist."""
        self._wishes.pop((tag, way), None)
        self._wishes[tag, way] = accepts(tag, way)
        if len(self._wishes) > self._most:
            self.remove(*next(iter(self._wishes)))

    def remove(self, tag: str, way: str = "startswith") -> None:
        """Forget a wish."""
        self._wishes.pop((tag, way), None)

    def want(self, tag: str) -> bool:
        """Return whether a tag is meant by any wish."""
        return any(accepts(tag) for accepts in self._wishes.values())


def followed_tags(reply: Any) -> list[str]:
    """Return how the tags of what a reply names begin; of a batch also those of its job."""
    if not isinstance(reply, dict):
        return []
    tag, load = reply.get("tag"), reply.get("load")
    if isinstance(tag, str):
        return [tag, tags.job(str(reply.get("jid")))] if tag.startswith("salt/batch/") else [tag]
    jid = load.get("jid") if isinstance(load, dict) else None
    return [tags.job(jid)] if isinstance(jid, str) and jid else []

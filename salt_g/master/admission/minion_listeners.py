"""Notifications about minions that connect and leave, for parts of the master created after admission."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

#: Called with the id of a minion.
Listener = Callable[[str], object]


@dataclass(frozen=True)
class MinionListeners:
    """Callbacks for minions that sign in, fire their start event, or lose their key."""

    on_sign_in: list[Listener] = field(default_factory=list)
    on_start: list[Listener] = field(default_factory=list)
    on_forget: list[Listener] = field(default_factory=list)

    def signed_in(self, id: str) -> None:
        """Notify the listeners that a minion has been admitted."""
        for listener in self.on_sign_in:
            listener(id)

    def started(self, id: str) -> None:
        """Notify the listeners that a minion has started and receives jobs."""
        for listener in self.on_start:
            listener(id)

    def forget(self, id: str) -> None:
        """Notify the listeners that the key of a minion was removed."""
        for listener in self.on_forget:
            listener(id)

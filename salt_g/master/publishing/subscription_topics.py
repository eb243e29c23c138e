"""Topics that subscribers of the publish port may have.

A minion subscribes to its own topic and to broadcasts, a syndic to its own kind of topic; anything else is
refused, so that subscriptions cost memory for accepted minions only. A subscriber without a topic receives
everything, as encrypted as it is.
Source: wire specification, section 2.3; security property 20.
"""

from __future__ import annotations

from collections.abc import Iterable

from salt_g.wire.publications import BROADCAST, SYNDIC, topic_of


class SubscriptionTopics:
    """Topics of accepted minions, and those that all subscribers share."""

    def __init__(self) -> None:
        self._topics: set[bytes] = set()

    def allow(self, ids: Iterable[str]) -> None:
        """Allow the topics of minions whose keys are accepted."""
        self._topics.update(map(topic_of, ids))

    def forget(self, id: str) -> None:
        """Refuse further subscriptions to the topic of a minion whose key was removed."""
        self._topics.discard(topic_of(id))

    def may_have(self, topic: bytes) -> bool:
        """Return whether a subscriber may have a topic."""
        return topic in (b"", BROADCAST, SYNDIC) or topic in self._topics

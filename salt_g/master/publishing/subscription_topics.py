"""Topics that subscribers of the publish port may have.

A minion subscribes to its own topic and to broadcasts, a syndic to its own kind of topic; anything else is
refused, so that subscriptions cost memory for accepted minions only. A subscriber without a topic receives
every publication, but only in encrypted form.
Source: wire specification, section 2.3; security property 20.
"""

from __future__ import annotations

from collections.abc import Iterable

from salt_g.wire.publications import BROADCAST, SYNDIC, topic_of


class SubscriptionTopics:
    """Topics of accepted minions, and those that all subscribers share."""

    def __init__(self) -> None:
        self._topics: dict[bytes, str] = {}

    def allow(self, ids: Iterable[str]) -> None:
        """Allow the topics of minions whose keys are accepted."""
        self._topics.update((topic_of(id), id) for id in ids)

    def forget(self, id: str) -> None:
        """Refuse further subscriptions to the topic of a minion whose key was removed."""
        self._topics.pop(topic_of(id), None)

    def may_have(self, topic: bytes) -> bool:
        """Return whether a subscriber may subscribe to a topic."""
        return topic in (b"", BROADCAST, SYNDIC) or topic in self._topics

    def minion_of(self, topic: bytes) -> str | None:
        """Return the accepted minion whose topic this is, None for any other topic."""
        return self._topics.get(topic)

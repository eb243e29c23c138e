"""Topics that subscribers may use."""

import pytest

from salt_g.master.publishing.subscription_topics import SubscriptionTopics
from salt_g.wire.publications import BROADCAST, SYNDIC, topic_of


@pytest.fixture
def topics():
    topics = SubscriptionTopics()
    topics.allow(["m1", "m2"])
    return topics


@pytest.mark.parametrize("topic", [b"", BROADCAST, SYNDIC, topic_of("m1"), topic_of("m2")])
def test_minions_and_syndics_have_theirs(topics, topic):
    assert topics.may_have(topic)


@pytest.mark.parametrize("topic", [topic_of("m3"), b"b", topic_of("m1")[:20], b"0" * 40, b"x" * 4096])
def test_nothing_else_is_a_topic(topics, topic):
    assert not topics.may_have(topic)


def test_a_minion_that_was_removed_gets_no_new_subscription(topics):
    topics.forget("m1")
    topics.forget("never there")

    assert not topics.may_have(topic_of("m1"))
    assert topics.may_have(topic_of("m2"))


def test_a_topic_names_an_accepted_minion(topics):
    topics.forget("m2")

    named = [topics.minion_of(topic) for topic in (topic_of("m1"), topic_of("m2"), b"", BROADCAST)]
    assert named == ["m1", None, None, None]

"""Presence of minions by their connections."""

import pytest

from salt_g.master.background.presence import Presence, normal
from salt_g.wire.publications import topic_of


class FakeSession:
    def __init__(self, id, address, seen):
        self.id, self.address, self.seen = id, address, seen


class FakeTable(list):
    def get(self, id):
        return next((one for one in self if one.id == id), None)


def test_ipv4_inside_of_ipv6_is_ipv4():
    sessions = [FakeSession("a", "10.0.0.2", 1.0)]

    assert Presence(sessions, lambda: {"::ffff:10.0.0.2": 1}).connected() == {"a"}


def test_the_most_recent_minions_at_a_shared_address_count_as_connected():
    sessions = [FakeSession("a", "10.0.0.1", 1.0), FakeSession("b", "10.0.0.1", 2.0)]
    sessions += [FakeSession("c", "10.0.0.2", 3.0), FakeSession("d", "10.0.0.3", 0.0)]

    assert Presence(sessions, lambda: {"10.0.0.1": 1, "10.0.0.3": 1}).connected() == {"b"}


def test_each_of_many_addresses_is_read_once():
    sessions = [FakeSession(f"m{n}", f"10.1.{n // 250}.{n % 250}", 1.0) for n in range(17_000)]
    presence = Presence(sessions, lambda: dict.fromkeys([one.address for one in sessions], 1))
    assert len(presence.connected()) == 17_000
    read = normal.cache_info().misses

    assert len(presence.addresses()) == 17_000
    assert normal.cache_info().misses == read


@pytest.fixture
def presence_of():
    """Return a function that makes presence from sessions [(id, address)] and {address: connections}."""

    def make(sessions, connections):
        return Presence([FakeSession(id, address, 1.0) for id, address in sessions], lambda: connections)

    return make


def test_a_minion_without_a_connection_at_its_address_is_gone(presence_of):
    there = presence_of([("a", "10.0.0.1"), ("b", "10.0.0.2")], {"10.0.0.1": 1})

    # `never` has a key and was not heard since the start.
    assert there.gone(["a", "b", "never"], []) == {"b", "never"}


def test_behind_one_address_the_silent_are_gone_when_as_many_have_answered_as_are_connected(presence_of):
    there = presence_of([("a", "10.0.0.1"), ("b", "10.0.0.1")], {"10.0.0.1": 1})

    assert there.gone(["b"], answered=["a"]) == {"b"}
    assert there.gone(["a", "b"], answered=[]) == set()


@pytest.fixture
def named_presence_of():
    """Return a function that makes presence of minions at one address, some with a named connection."""

    def make(ids, named, nameless):
        topics = {topic_of(id): {"10.0.0.1"} for id in named}
        return Presence(
            FakeTable(FakeSession(id, "10.0.0.1", 1.0) for id in ids),
            lambda: {"10.0.0.1": len(named) + nameless},
            named=lambda topic: topics.get(topic, set()),
            nameless=lambda: {"10.0.0.1": nameless} if nameless else {},
        )

    return make


def test_named_connections_distinguish_minions_behind_one_address(named_presence_of):
    there = named_presence_of("abc", named="a", nameless=0)

    assert there.connected() == {"a"}
    assert there.gone("abc", answered=[]) == {"b", "c"}


def test_a_connection_without_a_name_is_that_of_one_of_the_others(named_presence_of):
    there = named_presence_of("abc", named="a", nameless=1)

    assert len(there.connected()) == 2
    assert there.gone("abc", answered=[]) == set()
    assert there.gone("abc", answered=["a"]) == set()
    assert there.gone("abc", answered=["a", "b"]) == {"c"}


def test_a_name_from_another_address_makes_nobody_connected():
    topics = {topic_of("a"): {"10.6.6.6"}}
    there = Presence(
        [FakeSession("a", "10.0.0.1", 1.0)],
        lambda: {"10.6.6.6": 1},
        named=lambda topic: topics.get(topic, set()),
        nameless=dict,
    )

    assert there.connected() == set()
    assert there.gone(["a"], []) == {"a"}


@pytest.mark.parametrize(
    ("address", "is_there"),
    [("2001:db8::1:2", True), ("2001:db8:0:0:ffff::", True), ("2001:db8:0:1::1", False), ("x:y", False)],
)
def test_a_name_counts_in_the_network_of_its_minion_with_ipv6(address, is_there):
    presence = Presence(
        [FakeSession("a", "2001:db8::1", 1.0)],
        lambda: {address: 1},
        named=lambda topic: {address} if topic == topic_of("a") else set(),
        nameless=dict,
    )

    assert presence.connected() == ({"a"} if is_there else set())
    assert presence.gone(["a"], []) == (set() if is_there else {"a"})


def test_no_minion_is_surely_gone_while_an_unknown_peer_is_connected(presence_of):
    there = presence_of([("a", "10.0.0.1")], {"10.9.9.9": 1})

    assert there.gone(["a"], []) == set()


def test_a_connection_names_its_minion_before_any_request():
    addresses = {topic_of("m1"): {"10.0.0.1"}}
    presence = Presence([], dict, named=lambda topic: addresses.get(topic, ()))

    assert presence.connected() == set()
    assert presence.named(["m1", "m2"]) == {"m1"}


def test_presence_is_decided_by_connection_names_or_else_by_addresses(named_presence_of):
    every = ["a", "b", "c", "never"]
    all_named = named_presence_of("abc", named="ab", nameless=0)
    some_named = named_presence_of("abc", named="a", nameless=1)

    for presence in (all_named, some_named):
        assert presence.among(every) == presence.connected().intersection(every)
        assert presence.among(["a"]) == {"a"}
        assert presence.among([]) == set()


def test_a_minion_named_by_a_connection_is_not_gone_before_its_first_request():
    presence = Presence(
        FakeTable([FakeSession("b", "10.0.0.2", 0.0)]),
        lambda: {"10.0.0.1": 2},
        named=lambda topic: ["10.0.0.1"] if topic in (topic_of("a"), topic_of("b")) else [],
        nameless=dict,
    )

    assert presence.gone(["a", "b", "c"], []) == {"c"}

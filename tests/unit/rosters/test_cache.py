"""Addresses and settings from a master's data about a minion."""

import pytest

from salt_g.rosters.cache import KnownMinion, value_of

MINION = KnownMinion(
    "web1",
    {
        "ipv4": ["127.0.0.1", "10.0.0.5", "8.8.8.8"],
        "ipv6": ["::1", "2001:4860::8"],
        "fqdn": "web1.example.org",
    },
    {"ssh": {"user": "deploy"}},
    {"network.ip_addrs": ["10.0.0.5"]},
)


@pytest.mark.parametrize(
    ("ways", "value"),
    [
        ("id", "web1"),
        (["ipv6-private", "ipv4-private"], "10.0.0.5"),
        ("ipv6-global", "2001:4860::8"),
        ("ipv4-public", "8.8.8.8"),
        ("ipv4-local", "127.0.0.1"),
        ("local|private", "::1"),
        ("8.8.0.0/16", "8.8.8.8"),
        ({"grain": "fqdn"}, "web1.example.org"),
        ([{"grain": "nothing"}, {"pillar": ["no:thing", "ssh:user"]}], "deploy"),
        ({"mine": "network.ip_addrs"}, "10.0.0.5"),
        ([{"grain": "nothing"}, "ipv6-private"], None),
    ],
)
def test_the_first_way_that_gives_a_value_counts(ways, value):
    assert value_of(MINION, ways) == value

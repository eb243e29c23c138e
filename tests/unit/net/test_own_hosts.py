"""Names in the Host header that a foreign page cannot have."""

import pytest

from salt_g.net.own_hosts import is_own_host


@pytest.mark.parametrize(
    "host", ["", "127.0.0.1", "127.0.0.1:9100", "[::1]:9100", "[::1]", "localhost", "LocalHost:9100", "me:1"]
)
def test_addresses_and_own_names_are_served(host):
    assert is_own_host(host, {"localhost", "me"})


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:9100", "localhost.evil.example", "[x]:1", "a b"]
)
def test_other_names_are_not_served(host):
    assert not is_own_host(host, {"localhost", "me"})

"""Source addresses from which clear commands are accepted."""

import pytest

from salt_g.errors import ConfigError
from salt_g.master.calls.clear_command_sources import ClearCommandSources


def test_this_host_alone_counts_unless_others_are_named():
    own = ClearCommandSources()

    assert "127.0.0.1" in own
    assert "::ffff:127.0.0.1" in own
    assert "192.0.2.7" not in own
    assert "no address" not in own


def test_hosts_and_networks_that_are_named_count():
    own = ClearCommandSources(["192.0.2.7", "198.51.100.0/24", "2001:db8::/64"])

    assert "192.0.2.7" in own
    assert "192.0.2.8" not in own
    assert "198.51.100.200" in own
    assert "::ffff:198.51.100.200" in own
    assert "2001:db8::5" in own


def test_an_invalid_network_is_reported():
    with pytest.raises(ConfigError, match="clear_commands_from: 'friends'"):
        ClearCommandSources(["friends"])

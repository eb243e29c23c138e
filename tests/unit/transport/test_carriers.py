"""The choice of a carrier by the setting `transport`."""

import pytest

from salt_g.errors import ConfigError
from salt_g.transport.carriers import ZEROMQ, carrier_of


def test_zeromq_is_the_carrier_with_topics():
    assert carrier_of({"transport": "zeromq", "ssl": None}) is ZEROMQ
    assert not carrier_of({"transport": "tcp", "ssl": None}).has_topics


def test_another_name_is_refused_with_those_that_there_are():
    with pytest.raises(ConfigError, match="zeromq, tcp, ws"):
        carrier_of({"transport": "udp", "ssl": None})

"""Source addresses of a minion's connections."""

import logging

import pytest

from salt_g.minion.connection.source_address import leaving_from
from salt_g.minion.settings import SourceSettings

INTERFACES = {
    "eth1": {
        "up": True,
        "inet": [{"address": "10.0.0.7"}, {"address": "10.0.0.8"}],
        "inet6": [{"address": "fd00::7"}],
    },
    "eth2": {"up": False, "inet": [{"address": "10.0.0.9"}]},
}


def leave(destination="10.0.0.1", own_port=0, **opts):
    return leaving_from(
        SourceSettings(**opts), destination, 4506, own_port=own_port, interfaces=lambda: INTERFACES
    )


@pytest.mark.parametrize(
    ("opts", "address"),
    [
        ({}, "tcp://10.0.0.1:4506"),
        ({"source_address": "10.0.0.5"}, "tcp://10.0.0.5:0;10.0.0.1:4506"),
        ({"own_port": 7000}, "tcp://0.0.0.0:7000;10.0.0.1:4506"),
        ({"source_address": "10.0.0.5", "own_port": 7000}, "tcp://10.0.0.5:7000;10.0.0.1:4506"),
        ({"source_interface_name": "eth1"}, "tcp://10.0.0.7:0;10.0.0.1:4506"),
        ({"source_interface_name": "eth1", "source_address": "x"}, "tcp://10.0.0.7:0;10.0.0.1:4506"),
        ({"destination": "fd00::1", "source_interface_name": "eth1"}, "tcp://[fd00::7]:0;[fd00::1]:4506"),
        ({"destination": "fd00::1", "own_port": 7000}, "tcp://[::]:7000;[fd00::1]:4506"),
    ],
)
def test_the_way_out_precedes_the_destination(opts, address):
    assert leave(**opts) == address


@pytest.mark.parametrize("name", ["eth2", "eth9"])
def test_an_interface_that_cannot_be_used_is_reported(name, caplog):
    with caplog.at_level(logging.WARNING):
        address = leave(source_interface_name=name)

    assert address == "tcp://10.0.0.1:4506"
    assert name in caplog.text

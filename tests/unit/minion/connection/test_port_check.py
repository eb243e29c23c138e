"""Reasons why a master does not answer at one of its ports."""

import pytest

from salt_g.minion.connection.masters import MasterAddress
from salt_g.minion.connection.port_check import of_publications, of_requests
from salt_g.transport.port_probe import Service

MASTER = MasterAddress("salt", "salt", 4506)


@pytest.mark.parametrize(
    ("found", "expected", "is_final"),
    [
        (Service("publications", "PUB"), "is a publish_port, which accepts no requests", True),
        (Service("foreign", "SSH-2.0"), "it says 'SSH-2.0': set `master_port`", True),
        (Service("zeromq", "PULL"), "is not a Salt master (ZeroMQ PULL)", True),
        (Service("silent"), "accepts connections but sends nothing", False),
        (Service("refusing", "TLS: X"), "(TLS: X): give `transport` and `ssl` the values that", False),
        (
            Service("closed", "Connection refused"),
            "no connection to 10.0.0.1:4506 (Connection refused)",
            False,
        ),
    ],
)
def test_a_port_without_a_request_server_is_reported_with_what_to_correct(found, expected, is_final):
    problem = of_requests(found, MASTER, "10.0.0.1")

    assert expected in problem.text and "`master_port`" in problem.text
    assert problem.is_final == is_final


def test_the_right_ports_have_no_problem():
    assert of_requests(Service("requests", "ROUTER"), MASTER, "10.0.0.1") is None
    assert of_publications(Service("publications", "PUB"), "10.0.0.1", 4505, 4505) is None


def test_a_publish_port_of_another_transport_has_its_own_problem():
    problem = of_publications(Service("refusing"), "10.0.0.1", 4505, 4505)

    assert problem.text.endswith(
        "ends connections; give `transport` and `ssl` the values that the master has"
    )


def test_a_publish_port_of_our_own_settings_is_compared_with_the_masters():
    own = of_publications(Service("closed", "Connection refused"), "10.0.0.1", 5, 4505)
    result = of_publications(Service("silent"), "10.0.0.1", 4505, 4505)

    assert "the master says 4505: remove `publish_port: 5`" in own.text
    assert "it is the master's `publish_port`: open it in the firewall" in result.text

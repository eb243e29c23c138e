"""The roster of a range server."""

import pytest

from salt_g.errors import RosterError
from tests.support.range_server import running_range_server


def test_the_names_of_an_expression_are_hosts(targets):
    with running_range_server({"%web": ["web1", "web2"]}) as address:
        found = targets("range", "%web", range_server=address, roster_defaults={"user": "deploy"})

    assert found == {name: {"user": "deploy", "host": name} for name in ("web1", "web2")}


def test_a_refusal_of_the_server_is_an_error_of_the_roster(targets):
    with running_range_server({}) as address, pytest.raises(RosterError, match="NOCLUSTER %none"):
        targets("range", "%none", range_server=address)


def test_other_types_of_targets_are_refused(targets):
    with pytest.raises(RosterError, match="type grain"):
        targets("range", "os:Debian", "grain")

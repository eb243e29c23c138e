"""Queries of a range server."""

import pytest

from salt_g.net.range_server import expand
from tests.support.range_server import running_range_server


def test_the_names_of_an_expression_are_those_of_the_server():
    with running_range_server({"%web": ["web1", "web2"], "a&b c": ["x"]}) as address:
        assert expand(address, "%web") == ("web1", "web2")
        assert expand(address, "a&b c") == ("x",)


def test_an_expression_refused_by_the_server_is_reported():
    with running_range_server({}) as address, pytest.raises(ValueError, match="NOCLUSTER"):
        expand(address, "%none")


def test_a_server_that_is_away_is_named():
    with running_range_server({}) as address:
        pass

    with pytest.raises(OSError, match=f"{address} .range_server. does not answer"):
        expand(address, "%web")

"""Many ids on one line."""

import pytest

from salt_g.cli.fleet.id_ranges import shortened


@pytest.mark.parametrize(
    ("ids", "line"),
    [
        (["web1"], "web1"),
        (["web1", "web2", "web3"], "web[1-3]"),
        (["web10", "web9", "db"], "db, web[9-10]"),
        (["web1", "web3", "web4", "web5"], "web[1,3-5]"),
        (["web01", "web02"], "web0[1-2]"),
        (["web1.example.org", "web2.example.org"], "web[1-2].example.org"),
        ([f"{letter}x" for letter in "abcdefgh"], "ax, bx, cx, dx, ex, fx and 2 more"),
        ([], ""),
    ],
)
def test_ids_that_differ_by_a_number_are_ranges(ids, line):
    assert shortened(ids) == line

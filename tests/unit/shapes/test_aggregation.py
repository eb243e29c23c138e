"""Marker of aggregated chunks."""

from salt_g.shapes.aggregation import is_aggregated, mark_aggregated


def test_a_marked_chunk_is_aggregated():
    chunk = {"state": "pkg", "fun": "installed", "name": "vim"}
    before = is_aggregated(chunk)

    mark_aggregated(chunk)

    assert (before, is_aggregated(chunk)) == (False, True)


def test_the_mark_is_that_of_users_modules():
    chunk = {}
    mark_aggregated(chunk)

    assert chunk == {"__agg__": True}
    assert is_aggregated({"__agg__": True})
    assert not is_aggregated({"__agg__": False})

"""Changes of resources that are collected for one decision."""

from salt_g.cache.resources import ResourceRow
from salt_g.cluster.shared_resources import ResourceChanges, SharedResourceTable

ROW = ResourceRow("thing:a", "gw1", ("gw2",), True, 1.0)


def test_changes_are_collected_once_and_the_last_of_a_resource_counts():
    table = SharedResourceTable(None)
    table.put([ROW, ROW._replace(srn="thing:b")])
    table.put_grains({"thing:a": b"1", "thing:b": b"2"}, now=1.0)
    table.drop(["thing:b"])
    table.put([ROW._replace(minion="gw2")])

    assert table.collected() == ResourceChanges(
        (ROW._replace(minion="gw2"),), ("thing:b",), {"thing:a": b"1"}
    )
    assert table.collected() == ResourceChanges((), (), {})


def test_a_resource_that_comes_back_is_not_removed():
    table = SharedResourceTable(None)
    table.drop(["thing:a"])
    table.put([ROW])

    assert table.collected() == ResourceChanges((ROW,), (), {})

"""The table of resources: rows by SRN, with their grains."""

import pytest

from salt_g.cache.resources import GRAINS, SLICE, ResourceRow, ResourceTable
from salt_g.wire.packing import pack_bus


@pytest.fixture
def table(store):
    return ResourceTable(store)


def row(srn, minion="m1", standby=(), takes_leases=False, since=1.5):
    return ResourceRow(srn, minion, tuple(standby), takes_leases, since)


def committed(futures):
    for future in futures:
        future.result(30)
    return len(futures)


def test_rows_come_back_as_they_were_sorted_by_srn(table):
    rows = [row("ssh:b", "ü", ["m2", "m3"], True), row("ssh:a")]

    committed(table.put(rows))

    assert list(table.rows()) == [rows[1], rows[0]]


def test_a_later_row_replaces_all_of_an_earlier_one(table):
    committed(table.put([row("ssh:a", "m1", ["m2"], True, 1.0)]))
    committed(table.put([row("ssh:a", "m9", [], False, 2.0)]))

    assert list(table.rows()) == [row("ssh:a", "m9", [], False, 2.0)]


def test_thousands_are_written_in_slices_and_read_in_pages(table):
    rows = [row(f"ssh:{n:05}") for n in range(2 * SLICE + 1)]

    assert committed(table.put(rows)) == 3

    assert list(table.rows()) == rows


def test_a_dropped_resource_is_removed_with_its_grains_and_others_stay(table, store):
    committed(table.put([row("ssh:a"), row("ssh:b")]))
    committed(table.put_grains({srn: pack_bus({"os": srn}) for srn in ("ssh:a", "ssh:b")}, now=1.0))

    committed(table.drop(["ssh:a", "ssh:none"]))

    assert [found.srn for found in table.rows()] == ["ssh:b"]
    assert list(table.grains()) == [("ssh:b", {"os": "ssh:b"})]


def test_writes_and_removals_of_one_srn_stay_in_order(table):
    futures = [
        *table.put([row("ssh:a")]),
        *table.drop(["ssh:a"]),
        *table.put([row("ssh:a", "m2")]),
        *table.put([row("ssh:b")]),
        *table.drop(["ssh:b"]),
    ]
    committed(futures)

    assert [(found.srn, found.minion) for found in table.rows()] == [("ssh:a", "m2")]


def test_unreadable_grains_count_as_missing(table, store, caplog):
    packed = {"ssh:a": b"\xc1", "ssh:b": pack_bus(["no map"]), "ssh:c": pack_bus({"os": "x"})}

    committed(table.put_grains(packed, now=1.0))

    assert list(table.grains()) == [("ssh:c", {"os": "x"})]
    assert f"{GRAINS}/ssh:a" in caplog.text


def test_nothing_to_write_is_not_a_write(table, store):
    before = store.writes

    assert table.put([]) == table.drop([]) == table.put_grains({}, now=1.0) == []
    assert store.writes == before
    assert list(table.rows()) == []

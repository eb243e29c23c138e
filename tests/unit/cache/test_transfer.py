"""Transfer of all rows between two stores."""

import pytest

from salt_g.cache import transfer
from salt_g.cache.banks import Banks
from salt_g.cache.embedded_store import EmbeddedStore
from salt_g.cache.jobs import Jobs
from salt_g.cache.read_sets import Ran, ReadSets
from salt_g.report.recording.read_sets import opened, packed, question


@pytest.fixture
def stores(tmp_path):
    with EmbeddedStore(str(tmp_path / "one")) as one, EmbeddedStore(str(tmp_path / "two")) as two:
        yield one, two


def copied(source, target):
    """Copy everything; return {table: (rows read, rows stored)}."""
    return {
        table.name: (transfer.copy(source, target, table), transfer.content(target, table))
        for table in transfer.TABLES
    }


def test_both_sides_have_the_same_rows(stores):
    source, target = stores
    for number in range(2 * transfer.PAGE + 1):
        Banks(source).store("grains", f"m{number}", {"number": number})
    Jobs(source).save_load("20260102030405678901", {"fun": "test.ping"}, ["m1"]).result()

    transfer.prepare(source, target)
    found = copied(source, target)
    transfer.finish(target)

    assert all(read == kept for read, kept in found.values())
    assert found["entries"][0].rows == 2 * transfer.PAGE + 1
    assert Banks(target).list_all("grains") == Banks(source).list_all("grains")
    assert Banks(target).list(".transfer") == []


def test_a_row_that_changed_on_the_way_is_noticed(stores):
    source, target = stores
    Banks(source).store("grains", "m1", 1).result()

    found = copied(source, target)
    Banks(target).store("grains", "m1", 2).result()

    assert found["entries"][0] != transfer.content(target, transfer.TABLES[3])


def test_a_target_with_other_data_is_refused_unless_it_is_replaced(stores):
    source, target = stores
    Banks(target).store("grains", "other", 1).result()

    with pytest.raises(transfer.TransferRefused, match=r"already has other data \(entries\)"):
        transfer.prepare(source, target)
    transfer.prepare(source, target, replace=True)

    assert Banks(target).list("grains") == []


def test_an_unfinished_target_goes_on_with_its_own_source_only(stores, tmp_path):
    source, target = stores
    transfer.prepare(source, target)

    transfer.prepare(source, target)
    with EmbeddedStore(str(tmp_path / "three")) as other, pytest.raises(transfer.TransferRefused):
        transfer.prepare(other, target)


def test_copied_read_sets_answer_in_the_target(stores):
    source, target = stores
    digest, body = opened(packed({"web": {"pillar:a": "", "salt://web.sls": "aa"}}))
    ReadSets(source).add(Ran("m1", "web", 1.0, "j", digest, body)).result()

    found = copied(source, target)

    assert found["read_items"][0].rows == 2 and all(read == kept for read, kept in found.values())
    assert [one.minion for one in ReadSets(target).readers(question("pillar:a"))] == ["m1"]
    # Once more: it resumes, and changes nothing.
    assert copied(source, target) == found

"""Enforcement of the limits of read-sets, by one master of a cluster."""

import pytest

from salt_g.cache.embedded_store import EmbeddedStore
from salt_g.cache.read_sets import Ran, ReadSetLimits, ReadSets
from salt_g.errors import StoreError
from salt_g.master.background.read_set_pruning import ReadSetPruning
from salt_g.report.recording.read_sets import opened, packed


@pytest.fixture
def store(tmp_path):
    with EmbeddedStore(str(tmp_path)) as store:
        ReadSets(store).add(Ran("m1", "web", 100.0, "j", *opened(packed({"web": {"pillar": ""}})))).result(30)
        yield store


@pytest.mark.parametrize(("is_leader", "left"), [(True, 0), (False, 1)])
def test_old_runs_are_removed_by_the_leader(store, is_leader, left):
    pruning = ReadSetPruning(store, ReadSetLimits(50.0, 0), is_leader=lambda: is_leader, now=lambda: 200.0)

    pruning.prune()

    assert ReadSets(store).minions() == left


def test_runs_go_with_the_key_of_their_minion(store):
    ReadSetPruning(store, ReadSetLimits(0.0, 0)).forget("m1")

    assert ReadSets(store).minions() == 0


def test_a_store_that_is_away_is_logged(store, caplog):
    def refuse():
        raise StoreError(store.path, "away")

    store.only_read(refuse)
    pruning = ReadSetPruning(store, ReadSetLimits(50.0, 0))
    pruning.prune()
    pruning.forget("m1")

    assert "old read-sets are not removed yet" in caplog.text
    assert "the read-sets of m1 cannot be removed" in caplog.text

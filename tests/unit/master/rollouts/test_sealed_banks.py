"""Sealed values in banks."""

import pytest

from salt_g.cache.banks import Banks
from salt_g.cache.embedded_store import EmbeddedStore
from salt_g.cluster.sealing import Sealing
from salt_g.master.rollouts.sealed_banks import SealedBanks


@pytest.fixture
def plain(tmp_path):
    with EmbeddedStore(str(tmp_path)) as store:
        yield Banks(store)


@pytest.fixture
def banks(plain, master_key):
    return SealedBanks(plain, Sealing(master_key, "test"))


def test_values_are_kept_and_not_readable_in_the_store(banks, plain):
    banks.store("runs", "1", {"arg": ["secret"]}).result()
    banks.store("runs/1", "step", [1]).result()

    assert (banks.fetch("runs", "1"), banks.fetch("runs", "2")) == ({"arg": ["secret"]}, {})
    assert (banks.list_all("runs/1"), banks.list("runs")) == ({"step": [1]}, ["1"])
    assert b"secret" not in plain.fetch_packed("runs", "1")
    banks.flush("runs", "1")
    banks.flush("runs/1").result()
    assert banks.list("runs") == []


def test_values_written_or_moved_by_others_count_as_missing(banks, plain, other_key, caplog):
    banks.store("runs", "1", "ours").result()
    plain.store("runs", "moved", plain.fetch("runs", "1")).result()
    plain.store("runs", "plain", "nonsense").result()
    SealedBanks(plain, Sealing(other_key, "test")).store("runs", "other", "x").result()

    assert banks.list_all("runs") == {"1": "ours"}
    assert (banks.fetch("runs", "moved"), banks.fetch("runs", "other")) == ({}, {})
    assert "ignored plain of runs, which this master did not write" in caplog.text

"""Ownership of a minion id's data by the key under which it was stored."""

import pytest

from salt_g.data import jid as jids
from salt_g.errors import StoreError
from salt_g.master.serving.minion_data_owner import MinionDataOwners


class Banks:
    """Values by bank and key; with `problem` every access fails."""

    def __init__(self):
        self.values = {}
        self.problem = None

    def store(self, bank, key, data):
        if self.problem:
            raise self.problem
        self.values[bank, key] = data

    def fetch(self, bank, key):
        if self.problem:
            raise self.problem
        return self.values.get((bank, key), {})


@pytest.fixture
def banks():
    return Banks()


@pytest.fixture
def forgotten():
    return []


@pytest.fixture
def owners(banks, forgotten):
    return MinionDataOwners(banks, forget=forgotten.append)


def test_the_same_key_goes_on_with_what_it_left(owners, forgotten):
    before = jids.make()

    owners.claim("m1", "A")
    owners.claim("m1", "A")

    assert forgotten == []
    assert owners.has("m1", before)


def test_another_key_finds_nothing(owners, forgotten):
    owners.claim("m1", "A")
    before = jids.make()

    owners.claim("m1", "B")

    assert forgotten == ["m1"]
    assert not owners.has("m1", before)
    assert owners.has("m1", jids.make())


def test_a_deletion_ends_it_even_for_the_same_key(owners, forgotten):
    owners.claim("m1", "A")
    before = jids.make()

    owners.end("m1")
    assert forgotten == ["m1"]
    owners.claim("m1", "A")

    assert not owners.has("m1", before)
    assert owners.has("m2", before)


def test_an_operator_may_leave_it_to_the_next(owners, forgotten):
    owners.claim("m1", "A")
    before = jids.make()

    owners.leave("m1")
    owners.claim("m1", "B")

    assert forgotten == []
    assert owners.has("m1", before)


def test_it_is_known_in_the_next_run(owners, banks, forgotten):
    owners.claim("m1", "A")
    before = jids.make()

    later = MinionDataOwners(banks, forget=forgotten.append)
    later.claim("m1", "B")

    assert forgotten == ["m1"]
    assert not MinionDataOwners(banks, forget=forgotten.append).has("m1", before)


def test_a_store_that_cannot_be_read_says_nothing_about_owners(owners, banks, forgotten):
    owners.claim("m1", "A")
    later = MinionDataOwners(banks, forget=forgotten.append)
    banks.problem = StoreError("x", "no descriptors")

    with pytest.raises(StoreError):
        later.claim("m1", "B")
    with pytest.raises(StoreError):
        later.has("m1", jids.make())

    banks.problem = None
    later.claim("m1", "B")
    assert forgotten == ["m1"]


def test_an_owner_that_cannot_be_kept_is_reported_and_survived(owners, banks, forgotten, caplog):
    owners.has("m1", jids.make())
    banks.problem = StoreError("x", "the disk is full")

    owners.claim("m1", "A")
    owners.claim("m1", "B")

    assert forgotten == ["m1"]
    assert "the disk is full" in caplog.text

"""The record of a run: what was already done, what is stored, and its end when another master takes over."""

import pytest

from salt_g.data.run_record import RunRecord
from salt_g.errors import RunTaken


class Keeper:
    """Stores values as long as the run belongs to this master."""

    def __init__(self):
        self.kept, self.is_ours = {}, True

    def __call__(self, key, value):
        if self.is_ours and key:
            self.kept[key] = value
        return self.is_ours


def test_earlier_values_are_recalled_and_further_ones_kept():
    keeper = Keeper()
    record = RunRecord(keeper, {"a/1": 1, "a/2": 2, "b": 3})

    record.keep("c", 4)

    assert (record.recall("b"), record.recall("c"), record.recall_all("a/")) == (3, None, [1, 2])
    assert keeper.kept == {"c": 4}


def test_a_run_inside_has_keys_of_its_own():
    keeper = Keeper()
    record = RunRecord(keeper, {"in/er/a": 1, "a": 2}).inner("in").inner("er")

    record.keep("b", 3)

    assert (record.recall("a"), record.recall_all(""), keeper.kept) == (1, [1], {"in/er/b": 3})


def test_a_master_that_ends_keeps_nothing_any_more():
    keeper = Keeper()
    record = RunRecord(keeper)
    inner = record.inner("in")

    record.close()

    with pytest.raises(RunTaken):
        inner.keep("a", 1)
    assert keeper.kept == {}


def test_a_run_that_another_master_has_keeps_nothing_any_more():
    keeper = Keeper()
    record = RunRecord(keeper)
    inner = record.inner("in")
    keeper.is_ours = False

    with pytest.raises(RunTaken):
        inner.check()
    keeper.is_ours = True

    with pytest.raises(RunTaken):
        record.keep("a", 1)
    assert (record.is_taken, inner.is_taken, keeper.kept) == (True, True, {})

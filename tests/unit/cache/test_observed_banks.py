import pytest

from salt_g.cache.banks import Banks
from salt_g.cache.observed_banks import REMOVALS, BankChange, ObservedBanks, minion_banks


@pytest.fixture
def banks(store):
    return ObservedBanks(store)


def _taken(banks):
    """Take all changes, in order."""
    return [taken[0] for taken in iter(banks.take, None)]


def test_only_an_external_cache_makes_banks_note_changes(store):
    assert type(minion_banks({"cache": "localfs"}, store)) is Banks
    assert type(minion_banks({"cache": "redis"}, store)) is ObservedBanks


def test_changes_of_minion_data_are_noted_in_their_order_and_nothing_else(banks):
    woken = []
    banks.start(lambda: woken.append(1))

    banks.store("grains", "m1", {})
    banks.store("owners", "m1", {})
    banks.store_packed("mine", "m1", b"\x80")
    banks.flush("pillar", "m2")
    banks.flush("grains").result()

    assert len(woken) == 4
    assert banks.is_noted("pillar", "m2") and banks.is_noted("grains", "any")
    assert _taken(banks) == [
        BankChange("grains", "m1"),
        BankChange("mine", "m1"),
        BankChange("pillar", "m2"),
        BankChange("grains", None),
    ]
    assert not banks.is_noted("pillar", "m2")


def test_values_from_the_external_cache_are_not_noted(banks):
    banks.store_unnoted("grains", "m1", {"os": "A"}).result()
    assert banks.fetch("grains", "m1") == {"os": "A"}

    banks.flush_unnoted("grains", "m1").result()
    assert not banks.contains("grains", "m1")
    assert _taken(banks) == []


def test_a_removal_is_noted_again_after_a_restart_until_it_is_settled(banks, store):
    banks.flush("grains", "m/1").result()

    later = ObservedBanks(store)
    later.start(print)
    assert _taken(later) == [BankChange("grains", "m/1")]

    later.settle(BankChange("grains", "m/1"))
    later.flush("other", "x").result()
    last = ObservedBanks(store)
    last.start(print)
    assert _taken(last) == []
    assert last.list(REMOVALS) == []


def test_a_change_put_back_gives_way_to_a_later_one(banks):
    banks.store("grains", "m1", {"os": "A"}).result()
    change, written = banks.take()
    banks.store("grains", "m1", {"os": "B"}).result()

    banks.put_back(change, written)

    assert _taken(banks) == [change]


def test_too_many_changes_are_not_noted_but_this_is(store):
    banks = ObservedBanks(store, max_changes=2)

    for number in range(3):
        banks.store("grains", f"m{number}", {}).result()

    assert len(_taken(banks)) == 2
    assert not banks.is_complete

"""Values by bank and key."""

import pytest

from salt_g.cache.banks import Banks
from salt_g.errors import WireError


@pytest.fixture
def banks(store):
    return Banks(store)


@pytest.fixture
def clock():
    class Clock:
        now = 1000.0

        def __call__(self):
            return self.now

    return Clock()


def _done(*futures):
    return [future.result(10) for future in futures]


def test_the_last_value_stored_is_the_one_fetched(banks):
    _done(banks.store("grains", "m1", {"os": "A"}), banks.store("grains", "m1", {"os": "B"}))

    assert banks.fetch("grains", "m1") == {"os": "B"}


def test_a_missing_value_is_an_empty_map(banks):
    assert banks.fetch("grains", "nobody") == {}
    assert banks.updated("grains", "nobody") is None
    assert not banks.contains("grains", "nobody")
    assert banks.list("grains") == []


@pytest.mark.parametrize("value", [None, 0, "", b"\xff\x00", [1, [2]], {"a": {1: "ü"}}, True, 1.5])
def test_values_come_back_as_they_were(banks, value):
    _done(banks.store("b", "k", value))

    assert banks.fetch("b", "k") == ({} if value is None else value)


def test_a_value_that_has_no_form_is_refused_at_once(banks):
    with pytest.raises(WireError):
        banks.store("b", "k", object())


def test_a_bank_lists_its_keys_and_the_banks_below(banks):
    _done(
        banks.store("minions", "key", 1),
        banks.store("minions/m1", "data", 1),
        banks.store("minions/m1/deep", "data", 1),
        banks.store("minions-of-others", "x", 1),
        banks.store("minions0", "x", 1),
    )

    assert banks.list("minions") == ["key", "m1"]
    assert banks.list("minions/m1") == ["data", "deep"]
    assert banks.contains("minions/m1")
    assert not banks.contains("minions/m2")


def test_flushing_a_key_leaves_the_others(banks):
    _done(banks.store("b", "x", 1), banks.store("b", "y", 2))

    assert _done(banks.flush("b", "x"), banks.flush("b", "x")) == [1, 0]
    assert banks.list_all("b") == {"y": 2}


def test_flushing_a_bank_takes_the_banks_below_and_no_neighbour(banks):
    _done(*(banks.store(bank, "k", 1) for bank in ("a", "a/b", "a/b/c", "ab", "a0", "a.")))

    assert _done(banks.flush("a")) == [3]
    assert [bank for bank in ("ab", "a0", "a.") if banks.contains(bank)] == ["ab", "a0", "a."]


def test_a_value_expires(store, clock):
    banks = Banks(store, clock=clock)
    _done(banks.store("tokens", "t", "secret", expires=60), banks.store("tokens", "u", "kept"))

    clock.now += 61

    assert banks.fetch("tokens", "t") == {}
    assert not banks.contains("tokens", "t")
    assert banks.list("tokens") == ["u"]
    assert _done(banks.clean_expired("tokens")) == [1]
    assert banks.updated("tokens", "t") is None


def test_storing_anew_takes_the_end_away(store, clock):
    banks = Banks(store, clock=clock)
    _done(banks.store("b", "k", 1, expires=60), banks.store("b", "k", 2))

    clock.now += 61

    assert banks.fetch("b", "k") == 2


def test_a_value_replaces_the_one_that_was_seen_only(banks):
    outcomes = _done(
        banks.replace_packed("plans", "p1", b"1", b""),
        banks.replace_packed("plans", "p1", b"2", b""),
        banks.replace_packed("plans", "p1", b"3", b"1"),
        banks.replace_packed("plans", "p1", b"4", b"1"),
        banks.replace_packed("plans", "p2", b"5", b"4"),
    )

    assert outcomes == [True, False, True, False, False]
    assert (banks.fetch_packed("plans", "p1"), banks.fetch_packed("plans", "p2")) == (b"3", b"")


def test_updated_is_when_it_was_stored_last(store, clock):
    banks = Banks(store, clock=clock)
    _done(banks.store("b", "k", 1))

    clock.now = 2000.7
    _done(banks.store("b", "k", 1))

    assert banks.updated("b", "k") == 2000

"""Publish keys that a sign-in has replaced."""

import itertools

import pytest

from salt_g.minion.connection.replaced_keys import KEPT, MOST, ReplacedKeys
from salt_g.wire.aes import Crypticle


@pytest.fixture
def now():
    return [0.0]


@pytest.fixture
def replaced(now):
    return ReplacedKeys(clock=lambda: now[0])


def test_the_latest_comes_first(replaced):
    first, second, third = (Crypticle.generate() for _ in range(3))
    replaced.note(first, second)
    replaced.note(second, third)

    assert replaced.latest_first() == [second, first]


def test_a_sign_in_that_gives_the_same_key_replaces_none(replaced):
    key = Crypticle.generate()
    replaced.note(key, Crypticle(key.text))

    assert replaced.latest_first() == []


def test_a_key_opens_publications_for_some_time_after_its_replacement(replaced, now):
    first, second, third = (Crypticle.generate() for _ in range(3))
    replaced.note(first, second)
    now[0] += KEPT
    replaced.note(second, third)

    assert replaced.latest_first() == [second]


def test_a_master_that_replaces_its_key_all_the_time_fills_no_memory(replaced):
    keys = [Crypticle.generate() for _ in range(MOST + 5)]
    for before, after in itertools.pairwise(keys):
        replaced.note(before, after)

    assert replaced.latest_first() == keys[-2 : -MOST - 2 : -1]


def test_another_master_has_other_keys(replaced):
    replaced.note(Crypticle.generate(), Crypticle.generate())
    replaced.forget()

    assert replaced.latest_first() == []

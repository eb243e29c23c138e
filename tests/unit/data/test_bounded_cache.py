"""Bounded caches: the oldest item goes, the others stay."""

from salt_g.data.bounded_cache import remember


def test_the_oldest_goes_when_it_is_full():
    cache = {}
    for number in range(5):
        remember(cache, number, str(number), 3)

    assert cache == {2: "2", 3: "3", 4: "4"}


def test_an_item_set_again_is_the_newest():
    cache = {}
    for key in ("a", "b", "a", "c"):
        remember(cache, key, key, 2)

    assert list(cache) == ["a", "c"]

"""Reuse of compiled pillar: its lifetime, and its minion."""

import pytest

from salt_g.cache.banks import Banks
from salt_g.cache.embedded_store import EmbeddedStore
from salt_g.errors import StoreError
from salt_g.master.serving.pillar_cache import BANK, MAX_ENVIRONMENTS, PillarCache
from salt_g.master.settings import PillarCacheSettings


@pytest.fixture
def banks(tmp_path):
    with EmbeddedStore(str(tmp_path)) as store:
        yield Banks(store)


@pytest.fixture
def settled(banks):
    """Wait until everything queued so far is on disk."""
    return lambda: banks.store("other", "x", 1).result(30)


@pytest.fixture
def now():
    return [1000.0]


@pytest.fixture
def make(banks, now):
    """Return a function that makes a cache with these settings."""

    def made(is_on=True, in_memory=True, ttl=60.0):
        return PillarCache(PillarCacheSettings(is_on, in_memory, ttl), banks, clock=lambda: now[0])

    return made


@pytest.mark.parametrize("in_memory", [True, False])
def test_pillar_is_cached_by_minion_and_environment(make, settled, in_memory):
    cache = make(in_memory=in_memory)

    cache.put("m1", None, {"a": 1})
    cache.put("m1", "dev", {"a": 2})
    settled()

    assert (cache.get("m1", None), cache.get("m1", "dev")) == ({"a": 1}, {"a": 2})
    assert (cache.get("m1", "base"), cache.get("m2", None)) == (None, None)


@pytest.mark.parametrize("in_memory", [True, False])
def test_a_forgotten_minion_loses_all_environments_and_others_none(make, settled, in_memory):
    cache = make(in_memory=in_memory)
    for id in ("m1", "m11"):
        for pillarenv in (None, "dev", "/odd"):
            cache.put(id, pillarenv, {"of": id})

    cache.forget("m1")
    settled()

    assert [cache.get("m1", pillarenv) for pillarenv in (None, "dev", "/odd")] == [None] * 3
    assert [cache.get("m11", pillarenv) for pillarenv in (None, "dev", "/odd")] == [{"of": "m11"}] * 3


def test_in_memory_pillar_is_used_until_its_time_is_over(make, now):
    cache = make(ttl=60.0)
    cache.put("m1", None, {"a": 1})

    now[0] += 59.9
    assert cache.get("m1", None) == {"a": 1}
    now[0] += 0.1
    assert cache.get("m1", None) is None


def test_pillar_in_the_store_outlives_the_cache_and_its_time_ends_there_too(make, settled):
    make(in_memory=False).put("m1", None, {"a": 1})
    make(in_memory=False, ttl=-1.0).put("m2", None, {"a": 2})
    settled()
    again = make(in_memory=False)

    assert (again.get("m1", None), again.get("m2", None)) == ({"a": 1}, None)


@pytest.mark.parametrize("in_memory", [True, False])
def test_pillar_with_errors_is_compiled_each_time(make, settled, in_memory):
    cache = make(in_memory=in_memory)

    cache.put("m1", None, {"_errors": ["no such file"], "a": 1})
    settled()

    assert cache.get("m1", None) is None


@pytest.mark.parametrize("in_memory", [True, False])
def test_a_minions_environments_are_limited_and_evict_none_of_another(make, settled, in_memory):
    cache = make(in_memory=in_memory)
    cache.put("m2", None, {"a": 2})
    for number in range(MAX_ENVIRONMENTS + 5):
        cache.put("m1", f"env{number}", {"a": 1})
        settled()

    cached = [number for number in range(MAX_ENVIRONMENTS + 5) if cache.get("m1", f"env{number}")]

    assert len(cached) == MAX_ENVIRONMENTS
    assert cache.get("m2", None) == {"a": 2}


def test_an_environment_whose_time_is_over_makes_room(make, banks, settled):
    for number in range(MAX_ENVIRONMENTS):
        make(in_memory=False, ttl=-1.0).put("m1", f"old{number}", {"a": 1})
    settled()

    make(in_memory=False).put("m1", "new", {"a": 1})
    settled()

    assert [banks.updated(f"{BANK}/m1", name) is None for name in ("old0", "new")] == [True, False]


def test_a_cache_that_is_off_holds_nothing(make, banks, settled):
    cache = make(is_on=False, in_memory=False)
    cache.put("m1", None, {"a": 1})
    cache.forget("m1")
    settled()

    assert cache.get("m1", None) is None
    assert banks.list(BANK) == []


def test_a_store_that_refuses_costs_the_cache_and_not_the_answer(caplog):
    class Full:
        """Banks of a full store."""

        def list(self, bank):
            return []

        def clean_expired(self, bank):
            raise StoreError("store.db", "disk full")

    PillarCache(PillarCacheSettings(True, False, 60.0), Full()).put("m1", None, {"a": 1})

    assert "m1: cannot cache its pillar: store store.db: disk full" in caplog.text

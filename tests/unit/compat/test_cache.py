import pytest

from salt_g.compat.cache import Cache, factory
from salt_g.compat.exceptions import SaltCacheError
from salt_g.loader.dunders import CurrentOpts

DRIVER = """
BANKS = {}

def store(bank, key, data):
    BANKS[bank, key] = data

def fetch(bank, key):
    return BANKS.get((bank, key), {})
"""


@pytest.fixture
def opts(tmp_path):
    (tmp_path / "drivers").mkdir()
    (tmp_path / "drivers" / "shelf.py").write_text(DRIVER)
    return {
        "cachedir": str(tmp_path),
        "extension_modules": str(tmp_path),
        "cache_dirs": [str(tmp_path / "drivers")],
    }


def test_values_are_files_below_the_cache_directory(opts, tmp_path):
    cache = factory({**opts, "cache": "localfs"})

    cache.store("a/b", "key", {"x": 1})

    assert (tmp_path / "a" / "b" / "key.p").is_file()
    assert cache.fetch("a/b", "key") == {"x": 1}
    assert cache.fetch("a/b", "none") == {}
    assert cache.list("a/b") == ["key"]
    assert cache.contains("a/b") and cache.contains("a/b", "key") and not cache.contains("c")
    assert cache.updated("a/b", "key") > 0
    assert cache.cache("a/b", "more", lambda: "made") == cache.fetch("a/b", "more") == "made"
    cache.flush("a/b", "key")
    assert cache.list("a/b") == ["more"]
    cache.flush("a/b")
    assert cache.list("a/b") == []


@pytest.mark.parametrize(("bank", "key"), [("../x", "key"), ("a", "../../key"), ("/etc", "key")])
def test_names_that_lead_out_of_the_directory_are_refused(opts, bank, key):
    cache = factory(opts)

    with pytest.raises(SaltCacheError, match="must not lead out of it"):
        cache.store(bank, key, 1)


@pytest.mark.parametrize("keywords", [{"opts": {"cache": "shelf"}}, {"driver": "shelf"}])
def test_values_go_to_the_driver_of_the_settings_or_of_the_call(opts, keywords, tmp_path):
    keywords = {**keywords, "opts": {**opts, **keywords.get("opts", {})}}
    cache = Cache(**keywords)

    cache.store("bank", "key", [1])

    assert cache.fetch("bank", "key") == [1]
    assert not (tmp_path / "bank").exists()


def test_a_missing_driver_is_named(opts):
    with pytest.raises(SaltCacheError, match="there is no driver with the function none.fetch"):
        Cache(opts, driver="none").fetch("bank", "key")


def test_a_plugin_opens_a_cache_with_the_settings_of_its_call(opts, call_context):
    """`__opts__` stands for the settings of the running call; a driver's call has those of the cache."""
    call_context(opts={**opts, "cache": "shelf"})
    cache = Cache(CurrentOpts())

    cache.store("bank", "key", [1])

    assert cache.fetch("bank", "key") == [1]

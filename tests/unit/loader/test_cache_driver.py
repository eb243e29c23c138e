import pytest

from salt_g.loader.cache_driver import CacheDriver
from salt_g.stock_errors import SaltCacheError

DRIVER = """
def __virtual__():
    return (False, "the shelf is full") if __opts__.get("full") else True

def init_kwargs(kwargs):
    return {"shelf": __opts__["id"], **kwargs}

def fetch(bank, key, shelf=None):
    return [bank, key, shelf]
"""


@pytest.fixture
def driver(tmp_path):
    (tmp_path / "shelf.py").write_text(DRIVER)

    def make(**opts):
        places = {"cachedir": str(tmp_path), "extension_modules": str(tmp_path / "none")}
        return CacheDriver({"cache_dirs": [str(tmp_path)], "id": "m", **places, **opts}, "shelf")

    return make


def test_functions_get_the_keywords_of_the_driver(driver):
    assert driver().call("fetch", "a", "b") == ["a", "b", "m"]
    assert driver().has("fetch") and not driver().has("stamps")


def test_a_missing_driver_is_named(driver):
    with pytest.raises(SaltCacheError, match="there is no driver with the function shelf.store"):
        driver().call("store", "a", "b", 1)
    with pytest.raises(SaltCacheError, match="the shelf is full"):
        driver(full=True).call("fetch", "a", "b")

"""A store in a directory of its own, for programs without a hub."""

import pytest

from salt_g.cache.embedded_store import EmbeddedStore


@pytest.fixture
def open_store(tmp_path):
    """Factory: start a store below `tmp_path`; all of them are stopped at the end."""
    stores = []

    def start(**limits):
        store = EmbeddedStore(str(tmp_path / "cache"), **limits)
        store.start()
        stores.append(store)
        return store

    yield start
    for store in stores:
        store.stop()


@pytest.fixture
def store(open_store):
    return open_store()

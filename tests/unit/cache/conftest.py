"""A store for programs without a hub: a file of its own, or with `--store postgres` a database of its own."""

import pytest

from salt_g.cache.embedded_store import EmbeddedStore
from salt_g.cache.store_choice import store_at


@pytest.fixture
def open_store(tmp_path):
    """Yield a function that starts a store below `tmp_path`; all of them are stopped at the end."""
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
def store(request):
    """Yield a store of the kind that the command line asks for."""
    if request.config.getoption("--store") == "embedded":
        yield request.getfixturevalue("open_store")()
    else:
        with store_at(request.getfixturevalue("postgres_url")) as store:
            yield store

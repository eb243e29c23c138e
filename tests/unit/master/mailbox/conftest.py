"""A store in a temporary directory."""

import pytest

from salt_g.cache.embedded_store import EmbeddedStore


@pytest.fixture
def store(tmp_path):
    with EmbeddedStore(str(tmp_path)) as store:
        yield store

"""Plans in a store of their own."""

import pytest

from salt_g.cache.banks import Banks
from salt_g.cache.embedded_store import EmbeddedStore
from salt_g.master.plans.kept_plans import KeptPlans
from salt_g.wire.rsa import PrivateKey
from tests.support.clocks import Clock


@pytest.fixture(scope="session")
def master_key():
    return PrivateKey.generate()


@pytest.fixture
def banks(tmp_path):
    store = EmbeddedStore(str(tmp_path / "cache"))
    store.start()
    yield Banks(store)
    store.stop()


@pytest.fixture
def clock():
    return Clock(1000.0)


@pytest.fixture
def kept(banks, master_key, clock):
    return KeptPlans(banks, master_key, clock=clock)

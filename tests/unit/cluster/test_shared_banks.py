"""Banks of a cluster: changes that concern other masters are announced."""

import pytest

from salt_g.cache.embedded_store import EmbeddedStore
from salt_g.cluster.shared_banks import SharedBanks


@pytest.fixture
def banks(tmp_path):
    """Yield banks on a store; `.announced` has their announcements."""
    with EmbeddedStore(str(tmp_path)) as store:
        made = SharedBanks(store)
        made.announced = []
        made.start(lambda kind, name: made.announced.append((kind, name)))
        yield made


def test_changes_of_minion_data_are_announced(banks):
    banks.store("grains", "m1", {"os": "A"}).result()
    banks.flush("pillar", "m1").result()
    banks.flush("mine").result()

    assert banks.announced == [("data", "grains/m1"), ("data", "pillar/m1"), ("data", "mine/")]
    assert banks.fetch("grains", "m1") == {"os": "A"}


def test_other_banks_are_for_this_master_alone(banks):
    banks.store("other", "m1", 1).result()

    assert banks.announced == []

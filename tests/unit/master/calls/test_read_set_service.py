"""The index of read-sets is a service of masters that keep them."""

from salt_g.cache.read_sets import ReadSets
from salt_g.master.calls.read_set_service import read_set_service


def test_only_a_master_with_the_setting_has_it():
    assert read_set_service({"impact": False}, None) == {}
    assert isinstance(read_set_service({"impact": True}, None)["read_sets"], ReadSets)

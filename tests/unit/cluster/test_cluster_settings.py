"""Settings that make a master a member of a cluster, and those that conflict with it."""

import pytest

from salt_g.cluster.cluster_settings import ClusterSettings
from salt_g.errors import ConfigError

ALONE = {"id": "a", "cache": "localfs", "order_masters": False}


def test_a_master_is_alone_without_the_setting():
    assert ClusterSettings.of(ALONE) is None


def test_a_cluster_has_a_database():
    opts = {**ALONE, "cluster": True, "store": "postgresql://salt@db1/salt"}

    assert ClusterSettings.of(opts) == ClusterSettings("a", "postgresql://salt@db1/salt")
    with pytest.raises(ConfigError, match="add store: postgresql://"):
        ClusterSettings.of({**opts, "store": ""})


def test_syndics_and_copies_of_data_do_not_go_with_it():
    opts = {"id": "a", "cluster": True, "store": "postgresql://db1/salt"}

    with pytest.raises(ConfigError, match="remove order_masters"):
        ClusterSettings.of({**opts, "cache": "localfs", "order_masters": True})
    with pytest.raises(ConfigError, match="remove cache"):
        ClusterSettings.of({**opts, "cache": "redis", "order_masters": False})

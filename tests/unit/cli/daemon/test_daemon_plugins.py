"""Unknown sources in the settings of a daemon."""

import importlib.util

import pytest

from salt_g import config
from salt_g.cli.daemon.daemon_plugins import unknown_sources


@pytest.fixture
def opts(tmp_path):
    return config.load("master", str(tmp_path), {"root_dir": str(tmp_path)}, asks_for_id=False).opts


def test_each_source_that_no_plugin_has_is_named(opts):
    settings = {"ext_pillar": [{"nodegroups": {}}, {"nosuch": 1}], "master_tops": {"other": True}}

    first, second = unknown_sources("master", {**opts, **settings})

    assert first.startswith("ext_pillar: 'nosuch' has no effect: no plugin provides it")
    assert second.startswith("master_tops: 'other' has no effect")


def test_a_source_whose_library_is_missing_is_named(opts, monkeypatch):
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    settings = {"ext_pillar": [{"reclass": {}}], "master_tops": {"reclass": {}}}

    found = unknown_sources("master", {**opts, **settings})

    assert [sentence.partition(":")[0] for sentence in found] == ["ext_pillar", "master_tops"]
    assert all("pip install 'salt-g[reclass]'" in sentence for sentence in found)


def test_sources_of_a_minion_with_a_master_do_not_count(opts):
    assert unknown_sources("minion", {**opts, "file_client": "remote", "ext_pillar": [{"nosuch": 1}]}) == []

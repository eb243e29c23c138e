"""Settings without effect: the table of them, and the warning at startup."""

import pytest

from salt_g import config
from salt_g.config.ignored_settings import NOT_NEEDED, UNSUPPORTED
from salt_g.config.registry import KNOWN


def test_the_table_names_settings_each_once():
    names = [name for group in (UNSUPPORTED, NOT_NEEDED) for names in group.values() for name in names]

    assert sorted(names) == sorted(set(names))
    assert set(names) <= set(KNOWN)


@pytest.mark.parametrize("setting", ["cluster_id: east", "regen_thin: true", "thorium_top: x"])
def test_a_setting_that_requests_a_missing_feature_is_reported(tmp_path, setting):
    (tmp_path / "master").write_text(f"{setting}\nworker_pools_enabled: false\nsyndic_wait: 5\n")

    warnings = config.load("master", str(tmp_path)).warnings

    assert len(warnings) == 1
    assert warnings[0].startswith(f"{tmp_path}/master:1: {setting.partition(':')[0]}: ")
    assert "has no effect: " in warnings[0]


@pytest.mark.parametrize("setting", ["cache: consul", "fips_mode: true", "sqlite_queue_dir: /q"])
def test_a_value_without_its_effect_is_named_at_the_start(tmp_path, setting):
    (tmp_path / "master").write_text(f"{setting}\n")

    warnings = config.load("master", str(tmp_path)).warnings

    assert len(warnings) == 1
    assert warnings[0].startswith(f"{tmp_path}/master:1: {setting.partition(':')[0]}: ")
    assert " effect: " in warnings[0]


@pytest.mark.parametrize(
    "setting",
    ["cache: localfs", "cache: etcd", "cache: of_a_user", "fips_mode: false", "gitfs_provider: pygit2"],
)
def test_a_value_that_works_is_not_named(tmp_path, setting):
    (tmp_path / "master").write_text(f"{setting}\n")

    assert config.load("master", str(tmp_path)).warnings == []

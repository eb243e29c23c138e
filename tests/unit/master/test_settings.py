"""Records of settings that the master's parts receive."""

import pytest

from salt_g.config.registry import defaults
from salt_g.master import settings
from salt_g.master.settings import MasterResourceSettings, MineSettings, TargetSettings, UploadSettings

RECORDS = [item for item in vars(settings).values() if hasattr(item, "_fields") and hasattr(item, "of")]


@pytest.fixture
def opts():
    return {**defaults("master"), "id": "master_master", "user": "salt"}


@pytest.mark.parametrize("record", RECORDS, ids=lambda record: record.__name__)
def test_fields_named_like_settings_have_their_values(record, opts):
    found = record.of(opts)

    named = {name: opts[name] for name in record._fields if opts.get(name) is not None}
    assert {name: getattr(found, name) for name in named} == named


def test_an_empty_map_of_nodegroups_may_be_written_as_nothing(opts):
    opts["nodegroups"] = None

    assert TargetSettings.of(opts).nodegroups == {}
    assert MasterResourceSettings.of(opts).nodegroups == {}


@pytest.mark.parametrize(
    ("data_cache", "enforced", "is_kept"),
    [(True, False, True), (False, True, True), (False, False, False)],
)
def test_the_mine_is_kept_with_minion_data_or_where_it_is_enforced(opts, data_cache, enforced, is_kept):
    opts.update(minion_data_cache=data_cache, enforce_mine_cache=enforced)

    assert MineSettings.of(opts).is_kept is is_kept


def test_limits_of_uploads_are_mebibytes(opts):
    opts.update(file_recv_max_size=3, file_recv_max_total=5)

    found = UploadSettings.of(opts)
    assert (found.max_bytes, found.max_total_bytes) == (3 * 1024**2, 5 * 1024**2)

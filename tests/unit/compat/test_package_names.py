"""Names below `salt.utils` that package managers and drivers use; values recorded from stock 3008."""

import os

import pytest

from salt_g.compat.utils.calls import pkg
from salt_g.compat.utils.host import files, systemd
from salt_g.compat.utils.net import vmware
from salt_g.compat.utils.values import listdiffer
from salt_g.errors import CommandExecutionError


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("1.0", ("", "1.0")),
        (">=1.0", (">=", "1.0")),
        ("<>5", ("<>", "5")),
        ("=8", ("=", "8")),
        ("", ("", "")),
    ],
)
def test_a_version_condition_is_split(text, found):
    assert pkg.split_comparison(text) == found


def test_the_first_version_that_satisfies_a_condition_is_found():
    assert pkg.match_version(">=1.5", ["1.0", "2.0"]) == "2.0"
    assert pkg.match_version("<1.0", ["1.0", "2"]) is None
    assert pkg.match_version("1.0", ["1:1.0"]) is None
    assert pkg.match_version("1.0", ["1:1.0"], ignore_epoch=True) == "1:1.0"


def test_the_mark_of_a_due_refresh_is_that_of_the_states(tmp_path):
    opts = {"cachedir": str(tmp_path)}

    pkg.write_rtag(opts)
    assert pkg.rtag(opts) == str(tmp_path / "pkg_refresh")
    assert (pkg.check_refresh(opts), pkg.check_refresh(opts, False)) == (True, False)
    pkg.clear_rtag(opts)
    pkg.clear_rtag(opts)
    assert (pkg.check_refresh(opts), pkg.check_refresh(opts, True)) == (False, True)


def test_answers_about_systemd_are_kept_in_the_context():
    context = {}

    booted = systemd.booted(context)
    assert booted == os.path.isdir("/run/systemd/system")
    assert context == {"salt.utils.systemd.booted": booted}
    assert systemd.has_scope({"salt.utils.systemd.booted": True, "salt.utils.systemd.version": 252})
    assert not systemd.has_scope({"salt.utils.systemd.booted": True, "salt.utils.systemd.version": 200})
    assert systemd.pid_to_service("no pid") is None


def test_all_files_of_a_directory_are_listed(tmp_path):
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "x").write_text("")

    assert files.list_files(str(tmp_path)) == [str(tmp_path / name) for name in (".", "a", "a/x")]
    assert files.list_files(str(tmp_path / "a/x")) == [str(tmp_path / "a/x")]


def test_differences_of_lists_are_stocks():
    old = [{"key": 1, "v": 1}, {"key": 2, "v": {"x": 1}}, {"key": 4, "v": 0}]
    new = [{"key": 1, "v": 1}, {"key": 2, "v": {"x": 2}}, {"key": 3, "v": 9}]

    found = listdiffer.list_diff(old, new, "key")

    none = "<_null_>"
    assert (found.added, found.removed) == ([new[2]], [old[2]])
    assert found.changed() == ["key.2.v.x", "key.3.v", "key.4.v"]
    assert found.diffs == [
        {2: {"v": {"x": {"new": 2, "old": 1}}}},
        {3: {"key": {"new": 3, "old": none}, "v": {"new": 9, "old": none}}},
        {4: {"key": {"new": none, "old": 4}, "v": {"new": none, "old": 0}}},
    ]
    assert found.new_values == [{"v": {"x": 2}, "key": 2}, {"key": 3, "v": 9}]
    assert found.old_values == [{"v": {"x": 1}, "key": 2}, {"key": 4, "v": 0}]
    assert found.intersect[0] == {"key": 1, "old": old[0], "new": new[0]}
    assert found.changes_str == (
        "\tidentified by key 2:\n\tv:\n\t  x from 1 to 2\n\tidentified by key 4:\n\twill be removed\n"
        "\tidentified by key 3:\n\twill be added\n"
    )
    assert found.changes_str2 == (
        "  key=2 (updated):\n    v:\n      x from 1 to 2\n  key=4 (removed)\n"
        "  key=3 (added): {'key': 3, 'v': 9}"
    )


def test_access_to_vsphere_can_be_imported_and_refuses_its_calls():
    assert not vmware.HAS_PYVMOMI
    with pytest.raises(CommandExecutionError, match=r"salt\.utils\.vmware\.get_service_instance is not"):
        vmware.get_service_instance("host")

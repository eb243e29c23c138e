import os

import pytest

from salt_g.states.file import pruned, retention_schedule, tidied
from salt_g.states.file.tidied import bytes_of


def test_retention_keeps_the_most_recent_and_the_firsts(file_context, tmp_path):
    file_context()
    for day in ("20200101", "20200115", "20200203", "20200204", "20200301"):
        (tmp_path / f"b{day}").write_text("x")
    (tmp_path / "other").write_text("x")

    ret = retention_schedule(
        str(tmp_path), retain={"most_recent": 1, "first_of_month": "all"}, strptime_format="b%Y%m%d"
    )

    assert ret["changes"]["retained"] == ["b20200301", "b20200203", "b20200101"]
    assert ret["changes"]["deleted"] == ["b20200204", "b20200115"]
    assert (tmp_path / "other").exists()


def test_tidied_removes_what_is_old_and_named_so(file_context, tmp_path):
    file_context()
    for name, age in (("old.log", 0), ("old.txt", 0), ("new.log", None)):
        (tmp_path / name).write_text("x")
        if age is not None:
            os.utime(tmp_path / name, (age, age))

    ret = tidied(str(tmp_path), age=7, matches=[r".*\.log"], age_size_only="age")

    assert ret["changes"] == {"removed": [str(tmp_path / "old.log")]}


@pytest.mark.parametrize(
    ("text", "size"), [("10", 10), ("1k", 1024), ("1kb", 1000), ("1.5MiB", 1572864), ("nonsense", 0)]
)
def test_sizes_are_read_in_decimal_and_binary_units(text, size):
    assert bytes_of(text) == size


def test_pruned_removes_only_empty_directories(file_context, tmp_path):
    file_context()
    (tmp_path / "a" / "b").mkdir(parents=True)
    (tmp_path / "a" / "c").mkdir()
    (tmp_path / "a" / "c" / "f").write_text("x")

    ret = pruned(str(tmp_path / "a"), ignore_errors=True)

    assert ret["changes"] == {"deleted": [str(tmp_path / "a" / "b")]}
    assert (tmp_path / "a" / "c" / "f").exists()

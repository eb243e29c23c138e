import datetime
import os
import zoneinfo

import pytest

from salt_g.states.file import pruned, retention_schedule, tidied
from salt_g.states.file.tidied import bytes_of

needs_zones = pytest.mark.skipif(not zoneinfo.available_timezones(), reason="no time zone data is installed")


@pytest.fixture
def directory(file_context, tmp_path):
    """An empty directory."""
    file_context()
    path = tmp_path / "backups"
    path.mkdir()
    return path


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


@pytest.mark.parametrize(
    ("timezone", "kept"),
    [
        ("UTC", "early"),
        (datetime.timezone(datetime.timedelta(hours=14)), "late"),
        pytest.param("Pacific/Kiritimati", "late", marks=needs_zones),
    ],
)
def test_retention_counts_days_in_a_timezone(directory, timezone, kept):
    for name, hour in (("early", 1), ("late", 11)):
        (directory / name).write_text("x")
        moment = datetime.datetime(2020, 1, 1, hour, tzinfo=datetime.timezone.utc).timestamp()
        os.utime(directory / name, (moment, moment))

    ret = retention_schedule(str(directory), retain={"first_of_day": 1}, timezone=timezone)

    # At 11:00 in UTC the next day has begun on Kiritimati, 14 hours ahead.
    assert ret["changes"]["retained"] == [kept]


def test_retention_takes_the_word_none_for_no_timezone(directory):

    assert retention_schedule(str(directory), retain={}, timezone="None")["result"] is True


@pytest.mark.parametrize("timezone", ["Mars/Olympus", "../etc", "Europe", 5])
def test_an_unknown_timezone_removes_nothing(directory, timezone):
    (directory / "old").write_text("x")

    ret = retention_schedule(str(directory), retain={}, timezone=timezone)

    assert ret["result"] is False
    assert ret["comment"] == f"{timezone} is not the name of a timezone on this machine"
    assert (directory / "old").exists()


def test_retention_distinguishes_files_of_the_same_time(directory):
    for name in "abc":
        (directory / name).write_text("x")
        os.utime(directory / name, (1000, 1000))

    two = retention_schedule(str(directory), retain={"most_recent": 2})

    assert two["changes"]["retained"] == ["c", "b"]
    assert retention_schedule(str(directory), retain={"most_recent": "all"})["changes"] == {}


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

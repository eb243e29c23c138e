"""Words and lines of `salt-g lock`."""

import argparse
import datetime

import pytest

from salt_g.cli.fleet import lock

NOW = datetime.datetime(2026, 11, 28, 12, 0, 0)


@pytest.mark.parametrize(
    ("word", "hours"),
    [("8h", 8), ("90m", 1.5), ("18:00", 6), ("11:00", 23), ("2026-11-29", 12), ("2026-11-28 13:30", 1.5)],
)
def test_an_end_is_a_duration_a_time_of_day_or_a_date(word, hours):
    assert lock.until(word, NOW) == hours * 3600


@pytest.mark.parametrize(
    ("now", "word", "minutes"),
    [
        ((2, 30, 0), "02:45", 75),
        ((2, 30, 1), "02:45", 15),
        ((2, 30, 0), "02:15", 45),
        ((2, 30, 1), "02:15", 24 * 60 - 15),
        ((1, 0, 0), "2026-10-25 02:30", 150),
        ((1, 0, 0), "2026-10-25 02:30+02:00", 90),
        ((1, 0, 0), "2026-10-25T00:30Z", 90),
    ],
)
def test_a_time_that_a_night_has_twice_is_the_second_one(now, word, minutes, zone):
    zone("Europe/Berlin")
    hour, minute, fold = now

    assert lock.until(word, datetime.datetime(2026, 10, 25, hour, minute, fold=fold)) == minutes * 60


def test_a_time_that_a_night_lacks_is_the_one_after_it(zone):
    zone("Europe/Berlin")

    assert lock.until("02:30", datetime.datetime(2026, 3, 29, 1, 0)) == 90 * 60


@pytest.mark.parametrize("word", ["soon", "", "25:00", "2026-11-27", "0s", "2026-13-01", "0001-01-01"])
def test_no_end_is_refused(word):
    with pytest.raises(argparse.ArgumentTypeError):
        lock.until(word, NOW)


def test_a_lock_is_one_line():
    one = {"id": "1f0c3a9b", "target": "role:db", "tgt_type": "grain", "owner": "ann", "reason": "disks"}
    line = lock.line_of({**one, "since": 0.0, "until": 0.0})

    assert line.startswith("1f0c3a9b  role:db (grain)  ann  until 19")
    assert line.endswith("  disks")
    assert "from 19" in lock.line_of({**one, "id": "freeze:x", "since": 0.0, "until": 0.0})


@pytest.mark.parametrize(
    "words", [["db*"], ["db*", "--reason", "x"], ["drop"], ["db*", "x", "--reason", "y", "--until", "1h"]]
)
def test_incomplete_words_are_refused(words, capsys):
    with pytest.raises(SystemExit) as ended:
        lock.main(words)

    assert ended.value.code == 64


LOGIN = ["-a", "auto", "--username", "ann", "--password", "secret"]


def test_a_logged_in_user_locks_lists_and_drops(link, tmp_path, capsys):
    one = {"id": "1f0c3a9b", "target": "db*", "tgt_type": "glob", "owner": "ann", "reason": "x"}
    link.reply = {"lock": {**one, "since": 0.0, "until": 0.0}, "locks": [], "dropped": {"1f0c3a9b": True}}
    login = [*LOGIN, "-c", str(tmp_path)]

    codes = [
        lock.main(["db*", "--reason", "x", "--until", "1h", *login]),
        lock.main(["list", *login]),
        lock.main(["drop", "1f0c3a9b", *login]),
    ]

    assert codes == [0, 0, 0]
    assert [(load["cmd"], load["eauth"], load["username"]) for load in link.requests] == [
        (name, "auto", "ann") for name in ("lock_add", "lock_list", "lock_drop")
    ]
    assert "there are no locks" in capsys.readouterr().err


def test_without_a_login_none_is_sent(link, tmp_path):
    link.reply = {"locks": []}

    assert lock.main(["list", "-c", str(tmp_path)]) == 0
    assert link.requests == [{"cmd": "lock_list"}]

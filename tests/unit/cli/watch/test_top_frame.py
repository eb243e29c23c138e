"""Frames of `salt-g top`, from the metrics of a master."""

import pytest

from salt_g.cli.watch.top_frame import SORTS, cut, duration, frame

_METRICS = {
    "salt_g_calls_running": 0,
    "salt_g_event_subscribers": 3,
    "salt_g_events_dropped_total": 0,
    "salt_g_events_total": 100,
    "salt_g_events_waiting": 0,
    "salt_g_greenlets": 29,
    "salt_g_hub_delay_lately_seconds": {"0.5": 0.0002, "0.99": 0.003, "1": 0.25},
    "salt_g_keys_accepted": 3,
    "salt_g_memory_bytes": {"rss": 50 << 20, "pss": 40 << 20},
    "salt_g_minions_connected": 2,
    "salt_g_open_files": 30,
    "salt_g_processor_seconds_total": 1.0,
    "salt_g_publications_waiting": 0,
    "salt_g_request_seconds": {"_return": {"count": 10, "sum": 0.1, "p50": 0.001, "p99": 0.009}},
    "salt_g_requests_dropped_total": 0,
    "salt_g_requests_waiting": {"ordinary": 4, "sign_in": 5},
    "salt_g_returns_total": 10,
    "salt_g_sign_ins_total": {"accept": 3, "reject": 1},
    "salt_g_start_time_seconds": 1_767_312_000.0,
    "salt_g_store_waiting": 0,
}
_NOW = 1_767_319_200.0  # 2026-01-02 02:00:00 UTC


def _job(jid, fun="test.ping", done=1, expected=2):
    return {"jid": jid, "fun": fun, "tgt": "*", "user": "root", "done": done, "expected": expected}


def _look(jobs=(), now=_NOW, **metrics):
    return {
        "id": "m_master",
        "time": now,
        "metrics": {**_METRICS, **metrics},
        "jobs": list(jobs),
        "silent": ["db1"],
    }


def test_a_frame_reports_figures_and_jobs():
    lines = frame(_look([_job("20260102015950000000")]), None)

    text = "\n".join(lines)
    assert "master m_master, up 2.0 h" in text
    assert "connected 2   silent 1: db1" in text
    assert "delay p50 0.2 ms   p99 3.0 ms   longest 250.0 ms" in text
    assert "requests 4   sign-ins 5" in text
    assert "rss 50.0 MiB   pss 40.0 MiB" in text
    assert ["20260102015950000000", "test.ping", "1/2", "10", "s", "root", "*"] in [
        one.split() for one in lines
    ]
    assert "-/s" in text


def test_a_job_is_not_open_for_minions_that_are_away():
    lines = frame(_look([{**_job("20260102015950000000"), "away": 1}, _job("20260102015951000000")]), None)

    assert any(line.startswith("jobs      open 1 ") for line in lines)
    shown = [line.split()[2:4] for line in lines if "test.ping" in line]
    assert shown == [["1/2", "9"], ["1/2", "1"]]


def test_rates_are_made_of_two_looks():
    before = _look(now=_NOW - 2)
    look = _look(salt_g_events_total=150, salt_g_returns_total=30, salt_g_processor_seconds_total=1.5)

    text = "\n".join(frame(look, before))

    assert "events    25.0/s" in text
    assert "returns 10.0/s (30)" in text
    assert "cpu 25 %" in text


def test_a_master_that_began_anew_has_no_negative_rates():
    text = "\n".join(frame(_look(salt_g_events_total=1), _look(now=_NOW - 1)))

    assert "events    0.0/s" in text


@pytest.mark.parametrize(
    ("sort", "expected"),
    [
        ("newest", ["b.two", "a.one", "c.done"]),
        ("oldest", ["a.one", "b.two", "c.done"]),
        ("left", ["a.one", "b.two", "c.done"]),
        ("function", ["a.one", "b.two", "c.done"]),
    ],
)
def test_jobs_that_are_done_come_last(sort, expected):
    jobs = [
        _job("20260102015959000000", "c.done", 2, 2),
        _job("20260102015958000000", "b.two", 1, 2),
        _job("20260102015950000000", "a.one", 0, 9),
    ]

    lines = frame(_look(jobs), None, sort=sort)

    assert [line.split()[1] for line in lines if line.startswith("2026")] == expected
    assert sort in SORTS


def test_nothing_in_a_name_controls_the_terminal():
    lines = frame(_look([_job("20260102015950000000", fun="evil\x1b[2J\n.fun")]), None)

    assert not any(ord(character) < 32 for line in lines for character in line)


@pytest.mark.parametrize("height", [1, 5, 12, 20, 60])
def test_a_frame_fits_the_terminal(height):
    jobs = [_job(f"202601020159{number:02d}000000") for number in range(40)]

    lines = frame(_look(jobs), None, width=40, height=height)

    assert len(lines) <= height
    assert all(len(line) <= 40 for line in lines)


def test_lines_are_cut_with_a_sign():
    assert cut("abcdef", 4) == "abc…"
    assert cut("abcd", 4) == "abcd"


def test_a_line_fits_by_the_columns_that_its_characters_take():
    assert cut("東京東京", 8) == "東京東京"
    assert cut("東京東京", 7) == "東京東…"
    assert cut("東京東京", 6) == "東京…"
    assert cut("e\u0301e\u0301e", 3) == "e\u0301e\u0301e"
    assert cut("é東", 1) == "…"


@pytest.mark.parametrize(
    ("seconds", "text"), [(5, "5 s"), (600, "10 min"), (9000, "2.5 h"), (864_000, "10 d")]
)
def test_durations_are_short(seconds, text):
    assert duration(seconds) == text


@pytest.mark.parametrize(
    ("width", "shown", "left_out"),
    [(80, "JID  FUNCTION  DONE  AWAY  AGE  USER  TARGET", ""), (70, "TARGET", "JID"), (40, "AGE", "TARGET")],
)
def test_a_narrow_frame_leaves_columns_out_instead_of_cutting_them(width, shown, left_out):
    lines = frame(_look(), None, width=width)

    (head,) = [line for line in lines if "FUNCTION" in line]
    assert all(word in head for word in shown.split()) and "…" not in head
    assert not left_out or left_out not in head


def test_the_masters_of_a_cluster_have_a_line_each():
    one = {"live": True, "leader": False, "host": "h", "release": "1.2", "minions": 1200, "seen": "now"}
    masters = {"b": one, "a": {**one, "leader": True}, "c": {**one, "live": False, "seen": "12:00"}}

    lines = [line for line in frame({**_look(), "masters": masters}, None) if line.startswith("master ")]

    assert lines == [
        "master    a   leader   minions 1,200   salt-g 1.2",
        "master    b   live   minions 1,200   salt-g 1.2",
        "master    c   AWAY since 12:00   minions 1,200   salt-g 1.2",
    ]

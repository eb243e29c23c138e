"""Steps of a run: merged until they are sent, small, and without secrets."""

import pytest

from salt_g.report.step_feed import LINE_INTERVAL, MAX_BYTES, MAX_LINE, TAIL, StepFeed, last_line, verdict_of
from salt_g.wire.packing import pack_bus

RETURN = {"name": "x", "result": True, "changes": {}, "comment": "", "duration": 12.3}


class Clock:
    """Manually advanced time."""

    def __init__(self):
        self.time = 1000.0

    def __call__(self):
        return self.time


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def feed(clock):
    return StepFeed(now=clock)


def test_the_beginning_and_the_end_of_a_chunk_are_reported(feed):
    feed.begin_run(2)
    feed.begin(1, "web", "pkg.installed")

    assert feed.take() == {
        "total": 2,
        "done": [],
        "now": {"n": 1, "id": "web", "fun": "pkg.installed", "since": 1000.0, "line": ""},
    }

    feed.end(1, "web", "pkg.installed", "salt://web.sls", {**RETURN, "changes": {"web": "1"}})

    assert feed.take() == {
        "total": 2,
        "done": [
            {
                "n": 1,
                "id": "web",
                "fun": "pkg.installed",
                "place": "salt://web.sls",
                "verdict": "changed",
                "ms": 12,
            }
        ],
        "now": None,
    }


def test_without_news_there_is_no_event(feed):
    feed.begin(1, "web", "pkg.installed")
    feed.take()

    assert feed.take() is None


def test_further_runs_of_a_job_count_on(feed):
    assert feed.begin_run(3) == 0
    assert feed.begin_run(2) == 3
    feed.begin(4, "y", "test.nop")
    assert feed.take()["total"] == 5


def test_new_output_is_reported_once_a_second(feed, clock):
    take = feed.begin(1, "web", "cmd.run")
    feed.take()
    take(b"Unpacking libssl3\n")

    assert feed.take() is None
    assert feed.is_waiting
    clock.time += LINE_INTERVAL
    assert feed.take()["now"]["line"] == "Unpacking libssl3"
    assert not feed.is_waiting


def test_a_clock_that_is_set_back_stops_nothing(feed, clock):
    take = feed.begin(1, "web", "cmd.run")
    feed.take()
    clock.time -= 3600
    take(b"a\n")

    assert feed.take()["now"]["line"] == "a"


def test_of_parallel_chunks_the_oldest_is_the_current_one(feed):
    feed.begin(1, "a", "test.nop")
    feed.begin(2, "b", "test.nop")
    assert feed.take()["now"]["id"] == "a"

    feed.end(1, "a", "test.nop", "", RETURN)
    assert feed.take()["now"]["id"] == "b"


def test_unread_steps_are_dropped_oldest_first_and_counted(feed):
    feed.begin_run(1000)
    for n in range(1, 1001):
        feed.end(n, "ä" * 150, "pkg.installed", "salt://web/init.sls", RETURN)

    event = feed.take()

    assert len(pack_bus(event)) <= MAX_BYTES
    assert event["done"][-1]["n"] == 1000
    assert event["lost"] + len(event["done"]) == 1000
    feed.end(1001, "x", "test.nop", "", RETURN)
    assert "lost" not in feed.take()


def test_changes_wake_the_sender():
    woken = []
    feed = StepFeed(on_change=lambda: woken.append(True))

    take = feed.begin(1, "x", "test.nop")
    feed.end(1, "x", "test.nop", "", RETURN)
    assert len(woken) == 1

    feed.take()
    take(b"line\n")
    take(b"line\n")
    assert len(woken) == 2


@pytest.mark.parametrize(
    ("ret", "verdict"),
    [
        ({"result": True, "changes": {}}, "ok"),
        ({"result": True, "changes": {"a": 1}}, "changed"),
        ({"result": False, "changes": {"a": 1}}, "failed"),
        ({"result": None, "changes": {"a": 1}}, "would"),
        ({"result": True, "changes": {}, "__state_ran__": False}, "skipped"),
    ],
)
def test_each_end_has_its_word(ret, verdict):
    assert verdict_of(ret) == verdict


@pytest.mark.parametrize(
    ("tail", "line"),
    [
        (b"", ""),
        (b"one\ntwo\n\n", "two"),
        (b"10%\r20%\r", "20%"),
        (b"\x1b[32mgreen\x1b[0m\tand\x07 more\n", "green and  more"),
        (b"mysql --password=hunter2 -e x\n", "mysql --password=REDACTED -e x"),
        (b"\xff\xfe\n", "\N{REPLACEMENT CHARACTER}" * 2),
        (b"x" * 300 + b"\n", "x" * MAX_LINE),
    ],
)
def test_the_last_line_is_redacted_and_printable(tail, line):
    assert last_line(tail) == line


def test_a_line_without_its_beginning_is_not_shown():
    assert last_line(b"x" * TAIL) == ""
    assert last_line(b"x" * (TAIL - 4) + b"\nyes") == "yes"


@pytest.mark.parametrize("duration", [float("nan"), float("inf"), -1, 10**400, "1"])
def test_an_invalid_duration_counts_as_that_since_the_beginning(feed, clock, duration):
    feed.begin(1, "web", "pkg.installed")
    clock.time += 2

    feed.end(1, "web", "pkg.installed", "", {**RETURN, "duration": duration})

    assert feed.take()["done"][0]["ms"] == 2000

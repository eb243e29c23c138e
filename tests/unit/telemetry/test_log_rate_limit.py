import logging

import pytest

from salt_g.telemetry import log_rate_limit
from salt_g.telemetry.log_rate_limit import LogRateLimit
from tests.support.clocks import Clock


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def written(clock):
    """Return a function that logs through the filter; its output is in the list `written.texts`."""
    flood_filter = LogRateLimit(clock=clock)

    def write(text, *args, level=logging.WARNING, line=1):
        record = logging.LogRecord("salt_g.x", level, "x.py", line, text, args, None)
        if flood_filter.filter(record):
            write.texts.append(record.getMessage())

    write.texts = []
    return write


def test_equal_lines_are_counted_after_the_first_few(written):
    for _ in range(1000):
        written("%s: refused", "m1")

    assert written.texts == ["m1: refused"] * log_rate_limit.SAME_TEXT


def test_the_first_line_after_a_silence_says_how_many_were_left_out(written, clock):
    for _ in range(1000):
        written("%s: refused", "m1")
    clock.now = log_rate_limit.WINDOW

    written("%s: refused", "m1")

    assert (
        written.texts[-1]
        == f"m1: refused ({1000 - log_rate_limit.SAME_TEXT} more like this were not written)"
    )


def test_lines_that_differ_are_bounded_by_their_place(written):
    for number in range(5000):
        written("m%d: refused", number)

    assert len(written.texts) == log_rate_limit.SAME_PLACE


def test_lines_of_other_places_are_written_during_a_flood(written):
    for number in range(5000):
        written("m%d: refused", number)

    written("stopping", line=2)

    assert written.texts[-1] == "stopping"


def test_the_debug_level_shows_every_line(written):
    for _ in range(1000):
        written("step", level=logging.DEBUG)

    assert len(written.texts) == 1000


def test_the_number_of_counted_lines_is_bounded(written):
    for line in range(20_000):
        written("text", line=line)

    assert len(written.texts) == 20_000

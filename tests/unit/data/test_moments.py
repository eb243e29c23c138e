"""Moments in readable form."""

import datetime

import pytest

from salt_g.data.moments import shown_time


@pytest.mark.parametrize(
    ("clock", "more", "shown"),
    [
        ((18, 0, 0), 0.0, "2026-11-28 18:00"),
        # The way to the master takes part of a second.
        ((18, 0, 0), 0.9, "2026-11-28 18:00"),
        ((18, 0, 40), 0.2, "2026-11-28 18:00:40"),
        ((0, 0, 1), 0.0, "2026-11-28 00:00:01"),
    ],
)
def test_seconds_are_shown_when_a_time_has_them(clock, more, shown):
    assert shown_time(datetime.datetime(2026, 11, 28, *clock).timestamp() + more) == shown

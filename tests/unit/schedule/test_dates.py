"""Parsing of moments: the forms of stock's documentation."""

import datetime

import pytest

from salt_g.schedule.dates import moment

#: A Friday.
NOW = datetime.datetime(2026, 11, 20, 21, 30, 5)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("5:00pm", "2026-11-20T17:00:00"),
        ("5pm", "2026-11-20T17:00:00"),
        ("12:30 AM", "2026-11-20T00:30:00"),
        ("17:15:30", "2026-11-20T17:15:30"),
        ("Monday 5:00pm", "2026-11-23T17:00:00"),
        ("fri 08:00", "2026-11-20T08:00:00"),
        ("Tuesday", "2026-11-24T00:00:00"),
        ("2026-12-24", "2026-12-24T00:00:00"),
        ("2026-12-24T18:00", "2026-12-24T18:00:00"),
        ("2026-12-24 18:00:01", "2026-12-24T18:00:01"),
        ("12/24/2026 6:00pm", "2026-12-24T18:00:00"),
        ("December 24, 2026 6pm", "2026-12-24T18:00:00"),
    ],
)
def test_common_forms_need_no_library(text, wanted):
    assert moment(text, NOW).isoformat() == wanted


def test_dates_that_yaml_has_read_are_taken_as_they_are():
    assert moment(datetime.date(2026, 1, 2), NOW) == datetime.datetime(2026, 1, 2)
    assert moment(datetime.datetime(2026, 1, 2, 3), NOW) == datetime.datetime(2026, 1, 2, 3)


@pytest.mark.parametrize("value", ["", "not a day", "25:00", 17, None])
def test_an_invalid_date_is_refused(value):
    with pytest.raises(ValueError):
        moment(value, NOW)

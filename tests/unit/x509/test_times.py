"""Times of certificates (UTC, whole seconds), and spans of time."""

import datetime

import pytest

from salt_g.errors import InvocationError
from salt_g.x509.times import after, in_days, moment, now, shown, span_seconds


def test_a_time_is_shown_as_it_was_written():
    assert shown(moment("2030-01-31 12:00:05")) == "2030-01-31 12:00:05"
    assert moment("2030-01-31 12:00:05").tzinfo is datetime.timezone.utc
    assert shown(None) == ""


@pytest.mark.parametrize("text", ["", "2030-01-31", "2030-02-30 00:00:00", None])
def test_an_invalid_time_is_refused(text):
    with pytest.raises(InvocationError):
        moment(text)


def test_days_and_seconds_are_counted_from_a_time():
    assert abs(in_days(1.5) - now() - datetime.timedelta(hours=36)) < datetime.timedelta(minutes=1)
    assert shown(after(moment("2030-12-31 23:59:59"), 1)) == "2031-01-01 00:00:00"


@pytest.mark.parametrize("span", ["1w", "", "h", "-1d"])
def test_a_span_that_makes_no_sense_is_refused(span):
    with pytest.raises(InvocationError, match="Invalid time string format"):
        span_seconds(span)


@pytest.mark.parametrize(
    ("span", "seconds"), [(None, None), (90, 90.0), ("30s", 30.0), ("1.5h", 5400.0), ("2d", 172800.0)]
)
def test_a_span_has_an_optional_unit(span, seconds):
    assert span_seconds(span) == seconds

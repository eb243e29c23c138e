"""Durations on the command line."""

import argparse

import pytest

from salt_g.cli.durations import duration, shown


@pytest.mark.parametrize(
    ("word", "seconds"), [("90", 90), ("90s", 90), ("2m", 120), ("12h", 43200), ("7d", 604800)]
)
def test_a_duration_has_a_unit(word, seconds):
    assert duration(word) == seconds


@pytest.mark.parametrize("word", ["", "0", "d", "-1d", "1w", "401d", "1.5h", "7d "])
def test_an_invalid_duration_is_refused(word):
    with pytest.raises(argparse.ArgumentTypeError, match="is not a duration"):
        duration(word)


def test_a_longest_duration_is_named():
    with pytest.raises(argparse.ArgumentTypeError, match="from 1s to 30d"):
        duration("31d", 30 * 86400)


@pytest.mark.parametrize(
    ("word", "text"),
    [("1s", "1 s"), ("90", "90 s"), ("2m", "2 min"), ("36h", "36 h"), ("48h", "2 d"), ("400d", "400 d")],
)
def test_a_duration_is_printed_in_a_unit_that_it_is_a_whole_number_of(word, text):
    assert shown(duration(word)) == text

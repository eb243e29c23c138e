"""Jobs that were ended, recognized by their returns."""

import pytest

from salt_g.report.ended_jobs import INTERRUPTED, ended_text, signal_of


@pytest.mark.parametrize(
    ("value", "retcode", "number"),
    [
        (ended_text(15), 143, 15),
        (f"{ended_text(9)}; ended with it: sleep 60 (pid 4)", 137, 9),
        (INTERRUPTED, 137, 9),
        ({"a": {"comment": "done"}, "b": {"comment": ended_text(15)}}, 143, 15),
        ({"a": {"comment": "done"}}, 143, 0),
        ("Killed", 137, 0),
        (ended_text(15), 1, 0),
        (None, 137, 0),
    ],
)
def test_the_signal_is_known_by_the_words_and_the_retcode(value, retcode, number):
    assert signal_of(value, retcode) == number

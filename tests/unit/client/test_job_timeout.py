"""Deadlines of the minions of a job."""

import pytest

from salt_g.client.job_timeout import JobTimeout


@pytest.fixture
def timeout():
    timeout = JobTimeout(timeout=5.0, gather_timeout=10.0, now=100.0)
    timeout.extend(["m1", "m2"], 100.0)
    return timeout


def test_silent_minions_are_asked_after_the_timeout(timeout):
    assert not timeout.is_query_due(104.9)
    assert timeout.is_query_due(105.0)
    assert timeout.next_moment(()) == 105.0


def test_a_query_gives_minions_the_time_to_answer(timeout):
    timeout.note_query(105.0)

    assert not timeout.is_query_due(114.9)
    assert timeout.is_query_due(115.0)


def test_a_query_that_was_not_sent_is_not_waited_for(timeout):
    timeout.note_query(105.0, was_sent=False)

    assert timeout.is_query_due(105.0)


def test_a_minion_that_runs_the_job_is_waited_for_alone(timeout):
    timeout.note_query(105.0)
    timeout.extend(["m2"], 112.0)

    assert timeout.is_over(["m1"], 115.0)
    assert not timeout.is_over(["m1", "m2"], 116.9)
    assert timeout.is_over(["m1", "m2"], 117.0)
    assert timeout.next_moment(["m1", "m2"]) == 117.0

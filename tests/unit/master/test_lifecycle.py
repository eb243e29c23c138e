"""Orderly stop of a master's parts, also if one of them fails."""

import pytest

from salt_g.master.lifecycle import Lifecycle


@pytest.fixture
def acts():
    return []


def act(acts, name, outcome=None):
    def done():
        acts.append(name)
        if isinstance(outcome, Exception):
            raise outcome
        return outcome

    return done


def test_the_last_that_began_ends_first(acts):
    parts = Lifecycle()
    parts.begin(act(acts, "store"), act(acts, "store ends"))
    parts.at_the_end(act(acts, "handed over"), act(acts, "sent"))
    parts.begin(act(acts, "port"), act(acts, "port ends", True))

    assert parts.end()
    assert acts == ["store", "port", "port ends", "sent", "handed over", "store ends"]


def test_one_that_fails_is_logged_and_the_others_end(acts, caplog):
    parts = Lifecycle()
    parts.begin(act(acts, "store"), act(acts, "store ends"))
    parts.at_the_end(act(acts, "handed over", OSError("the disk is full")))

    assert not parts.end()
    assert acts == ["store", "handed over", "store ends"]
    assert "the disk is full" in caplog.text


def test_one_that_was_not_finished_is_reported(acts):
    parts = Lifecycle()
    parts.begin(act(acts, "port"), act(acts, "port ends", False))

    assert not parts.end()


def test_parts_that_could_not_start_are_not_ended(acts):
    parts = Lifecycle()
    with pytest.raises(OSError, match="taken"):
        parts.begin(act(acts, "port", OSError("taken")), act(acts, "port ends"))

    assert parts.end()
    assert acts == ["port"]

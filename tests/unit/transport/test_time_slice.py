"""Turns that a long computation leaves to others."""

import time

import gevent

from salt_g.transport.time_slice import SLICE, TimeSlice
from tests.support.waiting import hub_turns


def turns_of_others(work):
    """Return how often another greenlet had its turn during some work."""
    taken = []

    def count():
        while True:
            taken.append(1)
            hub_turns()

    counting = gevent.spawn(count)
    work()
    counting.kill()
    return len(taken)


def test_work_of_many_slices_lets_others_run():
    turn = TimeSlice()

    def work():
        end = time.monotonic() + 10 * SLICE
        while time.monotonic() < end:
            turn.pause()

    assert turns_of_others(work) >= 3


def test_no_other_greenlet_runs_between_two_pieces_of_a_slice():
    turn = TimeSlice()
    turn.pause()

    def work():
        turn.pause()
        turn.pause()

    began = time.monotonic()
    taken = turns_of_others(work)

    assert taken == 0 or time.monotonic() - began >= SLICE

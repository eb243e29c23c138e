"""Queues and routes of the request server; `tests/integration/transport/test_requests.py` has sockets."""

import pytest

from salt_g.transport.protocols import Arrival
from salt_g.transport.request_server import IDLE_TIME, IDLE_WORKERS, _Line, _Pending, _route


@pytest.fixture
def clock():
    return [0.0]


@pytest.fixture
def line(clock):
    return _Line(backlog=3, most_workers=2, patience=5.0, clock=lambda: clock[0])


def pending(payload=b"x", address="a", asks=None, came=0.0):
    return _Pending([b"c", b""], Arrival(payload, address), asks, came)


@pytest.mark.parametrize(
    ("frames", "route"),
    [
        ([b"peer", b"", b"payload"], [b"peer", b""]),
        ([b"peer", b"hop", b"", b"payload"], [b"peer", b"hop", b""]),
        ([b"peer", b"", b"", b"payload"], [b"peer", b""]),
        ([b"", b"", b"payload"], [b"", b""]),
        ([b"peer", b"payload"], []),
        ([b"peer", b""], []),
        ([b"peer"], []),
        ([], []),
    ],
)
def test_an_answer_takes_the_route_up_to_the_first_empty_frame(frames, route):
    assert _route(frames) == route


def test_bytes_are_held_from_put_to_get(line):
    line.put(pending(b"12345"))
    line.put(pending(b"678"))
    assert (line.held, line.is_full()) == (8, False)

    line.get()
    line.get()

    assert line.held == 0


def test_a_request_that_its_peer_has_sent_again_is_superseded_after_its_patience(line, clock):
    line.put(pending(b"first", asks="m1", came=0.0))
    line.put(pending(b"again", asks="m1", came=6.0))
    clock[0] = 6.0

    (first, is_superseded), (again, is_newest_superseded) = line.get(), line.get()

    assert (first.arrival.payload, is_superseded) == (b"first", True)
    assert (again.arrival.payload, is_newest_superseded) == (b"again", False)


def test_one_that_came_a_moment_ago_is_answered_though_it_was_repeated(line, clock):
    line.put(pending(asks="m1", came=0.0))
    line.put(pending(asks="m1", came=1.0))
    clock[0] = 4.9

    assert line.get()[1] is False


def test_requests_that_ask_different_things_do_not_supersede_each_other(line, clock):
    line.put(pending(asks="m1"))
    line.put(pending(asks="m2"))
    line.put(pending())
    clock[0] = 100.0

    assert [line.get()[1] for _ in range(3)] == [False, False, False]


def test_workers_are_added_up_to_the_limit_while_requests_wait(line):
    assert line.needs_worker() is False
    line.put(pending())
    assert line.needs_worker() is True

    line.idle = 1
    assert line.needs_worker() is False
    line.idle, line.workers = 0, 2
    assert line.needs_worker() is False


def test_idle_workers_of_a_burst_end_and_some_stay(line, clock):
    line.idle = IDLE_WORKERS + 3
    clock[0] = IDLE_TIME
    assert line.may_release_worker() is False

    clock[0] = 2 * IDLE_TIME
    released = [line.may_release_worker() for _ in range(6)]

    assert released == [True, True, True, False, False, False]


def test_no_worker_ends_while_requests_wait(line, clock):
    line.idle = IDLE_WORKERS + 3
    for moment in (IDLE_TIME, 2 * IDLE_TIME):
        clock[0] = moment
        line.may_release_worker()
    line.put(pending())

    assert line.may_release_worker() is False

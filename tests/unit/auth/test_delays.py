"""Delays of logins: failed ones are slow, and keep no other user out."""

import contextlib
import threading

import pytest

from salt_g.auth import delays as module
from salt_g.auth.delays import AT_ONCE, SOURCE_AT_ONCE, WAITING, Delays
from tests.support.waiting import until

#: How long what must come may take on a busy machine (s).
PATIENCE = 60


@pytest.fixture
def delays():
    return Delays(pause=lambda seconds: None)


@pytest.fixture
def hold():
    """Yield a function that takes a turn and returns the function that ends it."""
    with contextlib.ExitStack() as all_of_them:

        def take(delays, source, name=""):
            stack = all_of_them.enter_context(contextlib.ExitStack())
            assert stack.enter_context(delays.turn(source, name))
            return stack.close

        yield take


def in_thread(delays, *key):
    """Take a turn in a thread; return the thread and the list that gets whether it had a turn."""
    given = []

    def run():
        with delays.turn(*key) as has_turn:
            given.append(has_turn)

    thread = threading.Thread(target=run)
    thread.start()
    return thread, given


def test_wrong_logins_of_one_user_keep_no_other_user_waiting(delays, hold):
    for _ in range(AT_ONCE):
        hold(delays, "here", "fred")

    with delays.turn("here", "eve") as eve, delays.turn("there", "fred") as elsewhere:
        assert (eve, elsewhere) == (True, True)


def test_a_login_among_wrong_ones_of_its_name_waits_for_its_turn(delays, hold, monkeypatch):
    monkeypatch.setattr(module, "PACE", PATIENCE * 2)
    monkeypatch.setattr(module, "PATIENCE", PATIENCE * 2)
    give_back = [hold(delays, "here", "fred") for _ in range(AT_ONCE)]
    thread, given = in_thread(delays, "here", "fred")

    assert given == []
    give_back[0]()
    thread.join(PATIENCE)

    assert given == [True]


def test_a_turn_comes_though_none_is_given_back(delays, hold, monkeypatch):
    monkeypatch.setattr(module, "PACE", 0.01)
    for _ in range(AT_ONCE):
        hold(delays, "here", "fred")

    threads = [in_thread(delays, "here", "fred") for _ in range(5)]

    for thread, given in threads:
        thread.join(PATIENCE)
        assert given == [True]


def test_a_login_fails_at_once_when_too_many_wait(delays, hold, monkeypatch):
    monkeypatch.setattr(module, "PACE", PATIENCE * 2)
    monkeypatch.setattr(module, "PATIENCE", PATIENCE * 2)
    give_back = [hold(delays, "here", "fred") for _ in range(AT_ONCE)]
    waiting = [in_thread(delays, "here", "fred") for _ in range(WAITING)]
    source = delays._sources["here"]
    until(lambda: len(source._queues.get("fred", ())) == WAITING, "all wait", seconds=PATIENCE)

    with delays.turn("here", "fred") as has_turn:
        assert has_turn is False
    with delays.turn("here", "eve") as has_turn:
        assert has_turn is True

    for one in give_back:
        one()
    for thread, given in waiting:
        thread.join(PATIENCE)
        assert given == [True]
    assert delays._sources == {}


def test_a_turn_that_does_not_come_in_time_is_none(delays, hold, monkeypatch):
    monkeypatch.setattr(module, "PATIENCE", 0.01)
    for _ in range(AT_ONCE):
        hold(delays, "here", "fred")

    with delays.turn("here", "fred") as has_turn:
        assert has_turn is False


def test_a_source_that_tries_many_names_leaves_room_for_others(delays, hold, monkeypatch):
    monkeypatch.setattr(module, "PACE", 0.01)
    for number in range(SOURCE_AT_ONCE):
        hold(delays, "here", f"user{number}")

    with delays.turn("here", "fred") as has_turn:
        assert has_turn is True


def test_a_right_login_forgets_its_own_failures_alone():
    pauses = []
    delays = Delays(pause=pauses.append, clock=lambda: 0.0)
    for _ in range(3):
        delays.failed("here", 0.0, "fred")
    delays.succeeded("here", "eve")
    delays.failed("here", 0.0, "fred")
    delays.succeeded("here", "fred")
    delays.failed("here", 0.0, "fred")

    assert pauses[3] >= 6
    assert pauses[4] <= 1.25


def test_failures_of_many_names_make_a_source_slow():
    pauses = []
    delays = Delays(pause=pauses.append, clock=lambda: 0.0)
    for number in range(4 * AT_ONCE):
        delays.failed("here", 0.0, f"user{number}")
        delays.succeeded("here", "own-account")

    assert pauses[0] <= 1.25
    assert pauses[-1] >= 6

"""The supervisor: the one owner of greenlets, whose failures are raised by its wait()."""

import contextvars

import gevent
import gevent.event
import pytest

from salt_g.process.supervisor import LoggedGreenlets, Supervisor, deadline_in
from tests.support.waiting import hub_turns

_seen = contextvars.ContextVar("seen", default="nothing")


def test_a_greenlet_runs_in_a_copy_of_the_callers_context():
    owner = Supervisor("test")
    token = _seen.set("the call")
    greenlet = owner.spawn(_seen.get, name="reader")
    _seen.reset(token)

    owner.wait(deadline=deadline_in(5))

    assert greenlet.get(block=False) == "the call"
    assert greenlet.name == "test/reader"


def test_the_first_failure_comes_out_of_wait_and_ends_the_others():
    owner = Supervisor("test")
    ended = []

    def endless():
        try:
            gevent.event.Event().wait()
        finally:
            ended.append(True)

    def failing():
        raise ValueError("broken")

    owner.spawn(endless, name="endless")
    owner.spawn(failing, name="failing")

    with pytest.raises(ValueError, match="broken"):
        owner.wait(deadline=deadline_in(5))
    assert ended == [True]
    assert len(owner) == 0


def test_wait_reports_when_the_deadline_came_first():
    owner = Supervisor("test")
    owner.spawn(gevent.event.Event().wait, name="endless")

    in_time = owner.wait(deadline=deadline_in(0.01))
    owner.stop()

    assert in_time is False


def test_a_limit_bounds_how_many_run_at_once():
    owner = Supervisor("test", limit=2)
    running, most = [], []

    def work():
        running.append(1)
        most.append(len(running))
        hub_turns()
        running.pop()

    for number in range(6):
        owner.spawn(work, name=str(number))
    owner.wait(deadline=deadline_in(5))

    assert max(most) == 2
    assert len(most) == 6


def test_a_logged_greenlet_fails_alone_and_its_name_is_logged(caplog):
    owner = LoggedGreenlets("ssh host", limit=2)

    def failing():
        raise ValueError("broken")

    other = owner.spawn(gevent.event.Event().wait, name="other")
    owner.spawn(failing, name="reader").join(5)
    gevent.idle()

    assert "greenlet ssh host/reader failed" in caplog.text
    assert "ValueError: broken" in caplog.text
    assert not other.ready()
    owner.stop()
    other.join(5)
    assert other.ready()
    assert len(owner) == 0


def test_a_stopped_logged_greenlet_is_not_a_failure(caplog):
    owner = LoggedGreenlets("ssh host", limit=1)
    greenlet = owner.spawn(gevent.event.Event().wait, name="reader")
    gevent.idle()

    owner.stop()
    greenlet.join(5)

    assert caplog.text == ""


def test_logged_greenlets_are_bounded():
    owner = LoggedGreenlets("ssh host", limit=1)
    owner.spawn(gevent.event.Event().wait, name="first")

    with gevent.Timeout(0.01, False):
        owner.spawn(gevent.event.Event().wait, name="second")

    assert len(owner) == 1
    owner.stop()

"""A periodic loop, which survives an error in one round and ends when it is stopped."""

import gevent
import gevent.event
import pytest

from salt_g.event.bus import Bus
from salt_g.minion.background.periodic import start_loops
from salt_g.minion.settings import PeriodicSettings
from salt_g.process.periodic_loop import PeriodicLoop
from salt_g.process.supervisor import Supervisor, deadline_in

EACH_ROUND = PeriodicSettings(0, 0, False, 0.0001)


class Rounds:
    """Counts rounds, raises `error` in each, and reports when there were `enough`."""

    def __init__(self, enough=3, error=None):
        self.count = 0
        self.are_enough = gevent.event.Event()
        self._enough, self._error = enough, error

    def __call__(self, *args):
        self.count += 1
        if self.count >= self._enough:
            self.are_enough.set()
        if self._error is not None:
            raise self._error


@pytest.fixture
def supervisor():
    family = Supervisor("test")
    yield family
    family.stop()


@pytest.mark.parametrize("error", [ValueError("broken"), SystemExit(1)])
@pytest.mark.parametrize("pause", [0.0, 0.001])
def test_an_error_of_one_round_is_logged_and_the_loop_goes_on(supervisor, caplog, error, pause):
    rounds = Rounds(error=error)
    supervisor.spawn(PeriodicLoop("looking", rounds, pause).run, name="loop")

    assert rounds.are_enough.wait(10)
    assert supervisor.wait(deadline=deadline_in(0.01)) is False
    assert "looking failed" in caplog.text
    assert caplog.records[0].exc_info is not None


def test_a_periodic_loop_of_the_minion_outlives_its_errors(supervisor, caplog):
    rounds = Rounds(error=OSError("no room"))
    start_loops(EACH_ROUND, supervisor=supervisor, bus=Bus(), run_job=None, fire=rounds)

    assert rounds.are_enough.wait(10)
    assert supervisor.wait(deadline=deadline_in(0.01)) is False
    assert "ping_interval failed" in caplog.text


def test_a_stopped_loop_ends_after_its_round(supervisor):
    rounds = Rounds(enough=1)
    loop = PeriodicLoop("looking", rounds, 3600.0)
    supervisor.spawn(loop.run, name="loop")
    assert rounds.are_enough.wait(10)

    loop.stop()

    assert supervisor.wait(deadline=deadline_in(10)) is True
    assert rounds.count == 1


def test_a_loop_without_a_pause_waits_until_it_is_woken(supervisor):
    rounds = Rounds(enough=1)
    loop = PeriodicLoop("looking", rounds, lambda: None, first=lambda: None)
    supervisor.spawn(loop.run, name="loop")
    gevent.idle()
    assert rounds.count == 0

    loop.wake()

    assert rounds.are_enough.wait(10)


def test_a_wake_during_a_round_begins_another(supervisor):
    seen = []
    both = gevent.event.Event()

    def work():
        seen.append(1)
        if len(seen) == 1:
            loop.wake()
        else:
            both.set()

    loop = PeriodicLoop("looking", work, 3600.0)
    supervisor.spawn(loop.run, name="loop")

    assert both.wait(10)

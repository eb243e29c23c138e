"""The master's schedule, which calls runner functions."""

import datetime

import gevent
import gevent.event
import gevent.queue
import pytest

from salt_g.master.background.master_schedule import MasterSchedule
from salt_g.master.settings import ScheduleSettings
from salt_g.process.supervisor import Supervisor

NOW = datetime.datetime(2026, 11, 20, 12, 0, 0)


class Calls:
    """Runner functions that run until they are released."""

    def __init__(self):
        self.begun = gevent.queue.Queue()
        self.go_on = gevent.event.Event()

    def run(self, call):
        self.begun.put((call.kind, call.fun, list(call.args), call.kwargs, call.user))
        self.go_on.wait(30)
        if call.fun == "error.error":
            raise RuntimeError("no")


@pytest.fixture
def scheduling():
    """Yield a function that makes a schedule with these jobs, and the calls that it makes."""
    supervisor = Supervisor("test")

    def make(schedule, **options):
        calls = Calls()
        made = MasterSchedule(
            ScheduleSettings(schedule, "salt"),
            calls=calls,
            supervisor=supervisor,
            clock=lambda: made.now,
            **options,
        )
        made.now = NOW
        return made, calls

    yield make
    supervisor.stop()


def later(made, seconds):
    made.now += datetime.timedelta(seconds=seconds)
    made.start_due()


def test_a_job_calls_a_runner(scheduling):
    made, calls = scheduling({"j": {"function": "state.orchestrate", "args": ["orch"], "seconds": 60}})

    made.start_due()

    assert calls.begun.get(timeout=30) == ("runner", "state.orchestrate", ["orch"], {}, "salt")


def test_a_job_that_still_runs_is_not_started_again(scheduling):
    made, calls = scheduling({"j": {"function": "test.sleep", "seconds": 10}})
    made.start_due()
    calls.begun.get(timeout=30)

    later(made, 10)
    calls.go_on.set()
    gevent.wait(timeout=0.01)
    later(made, 10)

    calls.begun.get(timeout=30)
    assert calls.begun.empty()


def test_a_job_that_fails_does_not_end_the_schedule(scheduling, caplog):
    made, calls = scheduling({"j": {"function": "error.error", "seconds": 10}})
    calls.go_on.set()

    made.start_due()
    calls.begun.get(timeout=30)
    gevent.wait(timeout=0.01)
    later(made, 10)

    assert calls.begun.get(timeout=30)
    assert "scheduled job j failed" in caplog.text


def test_of_several_masters_only_the_leader_runs_a_job_and_a_new_leader_not_again(scheduling):
    leads = []
    made, calls = scheduling({"j": {"function": "test.sleep", "seconds": 60}}, is_leader=lambda: bool(leads))
    made.start_due()
    leads.append(True)

    later(made, 1)
    assert calls.begun.empty()
    later(made, 60)

    assert calls.begun.get(timeout=30)[1] == "test.sleep"

"""The pool of jobs: start, limit, listing, end."""

import os
import signal
import time

import gevent
import gevent.event
import pytest

from salt_g.minion.jobs.proc_files import ProcFiles
from salt_g.minion.jobs.queued_jobs import QueuedJobs
from salt_g.minion.jobs.running_jobs import (
    ENDING_TIMEOUT,
    LONGEST_WAIT,
    MAX_WAITING,
    JobOrigin,
    RunningJob,
    RunningJobs,
)
from salt_g.state.run.lock import read_job
from tests.support.waiting import hub_turns


class Doings:
    """Results of jobs; a job runs until its event is set."""

    def __init__(self):
        self.events = {}
        self.done, self.ended, self.refused = [], [], []

    def run(self, job):
        event = self.events.setdefault(job.jid, gevent.event.Event())
        event.wait(30)
        self.done.append(job.jid)

    def let_end(self, jid):
        self.events.setdefault(jid, gevent.event.Event()).set()


@pytest.fixture
def doings():
    return Doings()


@pytest.fixture
def make(supervisor, doings, tmp_path):
    """Return a function that makes a pool with this limit."""
    files = ProcFiles(str(tmp_path))
    files.clear()

    def build(limit=-1, queued=None):
        return RunningJobs(
            doings.run,
            supervisor=supervisor,
            files=files,
            queued=queued or QueuedJobs(str(tmp_path)),
            ended=lambda job, number, ret: doings.ended.append((job.jid, number)),
            refused=lambda job, why: doings.refused.append(job.jid),
            limit=limit,
        )

    return build


def origin(master=""):
    return JobOrigin(None, None, None, master=master)


def job(jid, fun="test.sleep", master=""):
    return RunningJob(
        {"jid": jid, "fun": fun, "arg": [1], "tgt": "*", "tgt_type": "glob", "ret": "", "user": "root"},
        origin(master),
    )


def test_a_running_job_is_listed_and_has_a_file(make, doings, tmp_path):
    pool = make()
    pool.start(job("1"))
    hub_turns(5)

    assert [shown["jid"] for shown in pool.running()] == ["1"]
    # The daemon's own pid would invite to end all jobs with it.
    assert pool.running()[0]["pid"] is None
    assert read_job(str(tmp_path / "proc" / "1"))["fun"] == "test.sleep"

    doings.let_end("1")
    hub_turns(5)

    assert pool.running() == []
    assert list((tmp_path / "proc").iterdir()) == []
    assert doings.done == ["1"]


def test_a_jid_that_runs_is_not_started_again(make, doings):
    pool = make()
    pool.start(job("1"))
    hub_turns(5)

    pool.start(job("1"))
    doings.let_end("1")
    hub_turns(5)

    assert doings.done == ["1"]


def test_jobs_beyond_the_limit_wait_for_their_turn(make, doings):
    pool = make(limit=1)
    for jid in "123":
        pool.start(job(jid))
    hub_turns(5)

    assert len(pool) == 1
    assert [shown["jid"] for shown in pool.running()] == ["1", "2", "3"]
    for jid in "123":
        doings.let_end(jid)
    hub_turns(5)

    assert doings.done == ["1", "2", "3"]


def test_functions_that_look_after_jobs_do_not_wait(make, doings):
    pool = make(limit=1)
    pool.start(job("1"))

    doings.let_end("2")
    pool.start(job("2", "saltutil.find_job"))
    hub_turns(5)

    assert doings.done == ["2"]


def test_when_too_many_wait_a_further_job_is_refused(make, doings):
    pool = make(limit=1)

    for number in range(MAX_WAITING + 2):
        pool.start(job(str(number)))

    assert doings.refused == [str(MAX_WAITING + 1)]


def test_a_job_is_ended_by_sigterm(make, doings):
    pool = make()
    pool.start(job("1"))
    hub_turns(5)

    result = pool.signal("1", signal.SIGTERM)

    assert result == f"Signal 15 sent to job 1 at pid {os.getpid()}"
    assert doings.ended == [("1", 15)]
    assert pool.running() == []


def test_a_job_that_has_not_begun_can_be_ended(make, doings):
    pool = make(limit=1)
    pool.start(job("1"))
    pool.start(job("2"))

    pool.signal("2", signal.SIGKILL)
    pool.signal("1", signal.SIGKILL)

    assert doings.ended == [("2", 9), ("1", 9)]
    assert pool.running() == []


def test_other_signals_end_no_job(make, doings):
    pool = make()
    pool.start(job("1"))
    hub_turns(5)

    pool.signal("1", signal.SIGUSR1)

    assert doings.ended == []
    assert len(pool) == 1


def test_nothing_is_reported_of_a_job_that_is_not_there(make):
    assert make().signal("9", signal.SIGTERM) == ""


def test_at_the_end_jobs_have_their_time_and_are_ended_then(make, doings):
    pool = make()
    pool.start(job("1"))
    pool.start(job("2"))
    hub_turns(5)
    doings.let_end("1")

    pool.stop(timeout=0.05)
    pool.start(job("3"))

    assert doings.done == ["1"]
    assert doings.ended == [("2", 15)]
    assert doings.refused == ["3"]
    assert pool.running() == []


def test_while_the_minion_ends_jobs_can_still_be_listed_and_ended(make, doings, supervisor):
    pool = make(limit=1)
    pool.start(job("1"))
    pool.start(job("waits"))
    hub_turns(5)

    stopping = supervisor.spawn(lambda: pool.stop(timeout=30), name="stop")
    hub_turns(5)
    pool.start(job("late"))
    pool.start(job("9", fun="saltutil.running"))
    hub_turns(5)
    shown = [each["jid"] for each in pool.running()]
    doings.let_end("1")
    doings.let_end("9")
    stopping.join(10)

    assert shown == ["1", "9"]
    assert doings.refused == ["waits", "late"]
    assert sorted(doings.done) == ["1", "9"]


def test_jobs_of_a_master_wait_for_the_next_start(make, doings, tmp_path):
    pool = make(limit=1)
    pool.start(job("1"))
    for jid in ("waits", "ended"):
        pool.start(job(jid, master="a"))
    hub_turns(5)
    doings.let_end("1")
    pool.signal("ended", signal.SIGTERM)
    pool.stop(timeout=0.05)
    pool.start(job("late", master="a"))
    shown = [each["jid"] for each in pool.running()]

    queued = QueuedJobs(str(tmp_path))
    left = queued.open()
    later = make(queued=queued)
    later.resume(origin("a"))
    for jid in left:
        doings.let_end(jid)
    hub_turns(5)

    assert shown == left == ["waits", "late"]
    assert doings.refused == []
    assert doings.ended == [("ended", 15)]
    assert doings.done == ["1", "waits", "late"]
    assert QueuedJobs(str(tmp_path)).open() == []


def test_a_job_that_has_waited_too_long_is_refused_at_the_next_start(make, doings, tmp_path):
    QueuedJobs(str(tmp_path)).put("a", job("1").load)
    queued = QueuedJobs(str(tmp_path), clock=lambda: time.time() + LONGEST_WAIT + 1)
    queued.open()

    make(queued=queued).resume(origin("a"))

    assert doings.refused == ["1"]
    assert QueuedJobs(str(tmp_path)).open() == []


def test_jobs_that_do_not_end_cost_the_end_no_more_than_one_of_them(make, doings):
    stays = gevent.event.Event()

    def stubborn(job):
        try:
            gevent.event.Event().wait()
        finally:
            stays.wait(30)

    doings.run = stubborn
    pool = make()
    for jid in "1234":
        pool.start(job(jid))
    hub_turns(5)

    began = time.monotonic()
    pool.stop(timeout=0)

    assert time.monotonic() - began < 2 * ENDING_TIMEOUT
    stays.set()
    hub_turns(5)
    assert sorted(doings.ended) == [(jid, signal.SIGTERM) for jid in "1234"]


def test_a_job_that_is_ended_twice_reports_its_end_once(make, doings, supervisor):
    pool = make()
    disk = gevent.event.Event()
    seen = []

    def ended(job, number, ret):
        disk.wait(30)
        seen.append((job.jid, number))

    pool._ended = ended
    pool.start(job("1"))
    hub_turns(5)

    first = supervisor.spawn(pool.signal, "1", signal.SIGTERM, name="first")
    second = supervisor.spawn(pool.signal, "1", signal.SIGKILL, name="second")
    hub_turns(5)
    disk.set()
    gevent.joinall([first, second], timeout=10)

    assert seen == [("1", signal.SIGTERM)]
    assert pool.running() == []
    assert supervisor.wait(deadline=time.monotonic() + 0.01) is True


@pytest.mark.parametrize("error", [ZeroDivisionError(), SystemExit(1)])
def test_an_error_around_a_job_harms_no_other(make, doings, supervisor, caplog, error):
    def fail(job):
        raise error

    doings.run = fail
    pool = make()

    pool.start(job("1"))
    hub_turns(5)

    assert pool.running() == []
    assert supervisor.wait() is True
    assert "could not be finished" in caplog.text


def test_files_that_a_killed_minion_left_go_at_the_start(tmp_path):
    files = ProcFiles(str(tmp_path))
    files.clear()
    files.write({"jid": "1", "fun": "test.ping", "pid": 2**22 + 1})
    (tmp_path / "proc" / "2").write_text("rubbish")

    files.clear()

    assert list((tmp_path / "proc").iterdir()) == []

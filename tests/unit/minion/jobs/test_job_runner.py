"""A job from its start to its delivered return."""

import signal

import gevent
import gevent.event
import pytest

from salt_g import api
from salt_g.errors import CommandExecutionError
from salt_g.minion.jobs.job_runner import JobRunner
from salt_g.minion.jobs.proc_files import ProcFiles
from salt_g.minion.jobs.queued_jobs import QueuedJobs
from salt_g.minion.jobs.running_jobs import JobOrigin, RunningJob, RunningJobs
from salt_g.minion.settings import JobSettings
from salt_g.services.plugins import Services
from tests.support.waiting import hub_until


class Facts:
    """Builds calls of one function."""

    def context(self, fun=""):
        return api.CallContext(
            opts={"id": "m1"}, grains={}, pillar={}, services=Services(plugins=lambda: self)
        )

    def table(self, kind):
        return {"test.ping": lambda: True}


class SlowDisk:
    """Spool for returns; the first one waits for `is_free`."""

    def __init__(self):
        self.delivered = []
        self.is_delivering = gevent.event.Event()
        self.is_free = gevent.event.Event()

    def deliver(self, load):
        if not self.is_delivering.is_set():
            self.is_delivering.set()
            self.is_free.wait(30)
        self.delivered.append((load["return"], load["retcode"]))


@pytest.fixture
def disk():
    return SlowDisk()


@pytest.fixture
def pool(disk, supervisor, tmp_path):
    work = JobRunner(JobSettings(id="m1"))
    files = ProcFiles(str(tmp_path))
    return RunningJobs(
        work.run,
        supervisor=supervisor,
        files=files,
        queued=QueuedJobs(str(tmp_path)),
        ended=work.ended,
        refused=work.refused,
    )


@pytest.fixture
def job(disk):
    origin = JobOrigin(Facts(), deliver=disk.deliver, fire=lambda *event: None)
    load = {"jid": "1", "fun": "test.ping", "arg": [], "tgt": "*", "tgt_type": "glob", "ret": ""}
    return RunningJob(load, origin)


def test_a_job_returns_what_its_function_did_once(pool, disk, job):
    disk.is_free.set()

    pool.start(job)
    hub_until(lambda: not len(pool))

    assert disk.delivered == [(True, 0)]


def test_a_returner_that_is_not_here_is_reported_with_the_return(pool, disk, job):
    places = []
    job.load["ret"] = "nosuch, test.ping"
    job.origin = JobOrigin(
        Facts(), deliver=lambda load: places.append(load["places"]), fire=lambda *event: None
    )

    pool.start(job)
    hub_until(lambda: not len(pool))

    assert places[0][0] == "returner 'nosuch' is not available and did not get this return"


def test_a_returner_that_fails_is_logged_with_its_reason(pool, disk, job, monkeypatch, caplog):
    def returner(load):
        raise CommandExecutionError("no connection to 192.0.2.1")

    monkeypatch.setattr(Facts, "table", lambda *_: {"test.ping": lambda: True, "down.returner": returner})
    disk.is_free.set()
    job.load["ret"] = "down"

    pool.start(job)
    hub_until(lambda: not len(pool))

    assert disk.delivered == [(True, 0)]
    (line,) = [line for line in caplog.records if "returner" in line.getMessage()]
    assert line.getMessage() == "1: returner down failed: no connection to 192.0.2.1"
    assert line.exc_info is None


def test_a_job_that_is_ended_while_its_return_goes_to_the_disk_returns_that(pool, disk, job):
    pool.start(job)
    assert disk.is_delivering.wait(10)

    pool.signal("1", signal.SIGTERM)

    assert disk.delivered == [("ERROR: the job was ended by signal 15", 128 + 15)]

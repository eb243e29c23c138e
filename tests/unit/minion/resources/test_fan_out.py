"""One job on many resources: bounded concurrency, fair order, exactly one verdict for each."""

import gevent
import gevent.event
import pytest

from salt_g.minion.jobs.running_jobs import JobEnded, RunningJob
from salt_g.minion.resources.fan_out import FanOut
from salt_g.minion.settings import ResourceTimeouts
from salt_g.resource_model.srn import Srn
from tests.support.waiting import hub_until

MODULE = """
import gevent.event, os

RUNNING, MOST, ORDER = [], [0], []


def work(seconds=0.01):
    RUNNING.append(__resource__["id"])
    ORDER.append(__resource__["id"])
    MOST[0] = max(MOST[0], len(RUNNING))
    try:
        gevent.sleep(seconds)
    finally:
        RUNNING.remove(__resource__["id"])
    return __resource__["id"]


def begin(place):
    open(os.path.join(place, __resource__["id"]), "w").close()
    gevent.event.Event().wait()


def raises():
    raise SystemExit(3)


def most():
    return MOST[0], list(ORDER)
"""
IDS = [f"r-{number}" for number in range(8)]


@pytest.fixture
def returned():
    return []


@pytest.fixture
def fan_out(managed, returned):
    """Return the fan-out over eight resources, three at once; no lease expires."""
    made = managed(
        {"t": {"resource_ids": IDS}},
        {"t/__init__.py": "", "t/modules/t.py": MODULE},
        resource_fan_out=3,
        resource_job_timeout=0,
    )
    fan = FanOut(made, ResourceTimeouts(0, 1), deliver=returned.extend)
    fan.leases.take(True, asked=0)
    return fan


@pytest.fixture
def run(fan_out):
    """Return a function that runs a function on some resources and returns its job."""

    def start(fun, *arg, ids=IDS):
        job = _job(fun, *arg, ids=ids)
        fan_out.run(job, fan_out.managed._minion(), lambda job, ret, context: None)
        return job

    return start


def _job(fun, *arg, ids=IDS):
    load = {"jid": "20260102030405678901", "fun": fun, "arg": list(arg), "tgt": "*", "tgt_type": "glob"}
    return RunningJob(load, None, resources=[Srn("t", id) for id in ids])


def test_each_resource_answers_in_order_and_no_more_than_allowed_work_at_once(run, returned):
    job = run("t.work")
    run("t.most", ids=["r-0"])

    assert [ret["resource_id"] for ret in returned[:-1]] == IDS
    assert [ret["return"] for ret in returned[:-1]] == IDS
    assert returned[-1]["return"] == (3, IDS)
    assert not job.open
    assert {ret["jid"] for ret in returned} == {job.jid}


def test_an_error_of_one_resource_is_its_own_verdict(run, returned):
    run("t.raises", ids=["r-1"])
    run("t.nosuch", ids=["r-2"])
    run("t.work", ids=["gone"])

    assert returned[0]["return"].startswith("The minion function caused an exception: Traceback")
    assert returned[1]["return"].startswith("Function 't.nosuch' is not supported for resource type 't'.")
    assert returned[2]["return"].startswith("No resource loader available for type 't'.")
    assert {ret["success"] for ret in returned} == {False}
    assert {ret["retcode"] for ret in returned} == {1}


def test_an_ended_job_ends_its_parts_and_what_is_open_gets_a_verdict(fan_out, returned, tmp_path):
    place = tmp_path / "begun"
    place.mkdir()
    job = _job("t.begin", str(place))
    minion = fan_out.managed._minion()
    greenlet = gevent.spawn(fan_out.run, job, minion, lambda job, ret, context: None)
    hub_until(lambda: len(list(place.iterdir())) == 3)

    greenlet.kill(JobEnded(15), timeout=5)
    fan_out.give_up(job, "ERROR: the job was ended by signal 15", 143)

    assert greenlet.ready()
    assert sorted(ret["resource_id"] for ret in returned) == IDS
    assert {(ret["return"], ret["retcode"]) for ret in returned} == {
        ("ERROR: the job was ended by signal 15", 143)
    }


def test_nothing_begins_without_a_lease_and_what_runs_ends_with_it(fan_out, returned):
    sent_at = fan_out.leases.now()
    fan_out.leases.take({"leases": {"t:r-0": 0.2}, "standby": ["t:r-1"]}, asked=sent_at)
    load = _job("t.work", 600).load
    minion = fan_out.managed._minion()

    meant = fan_out.selected(load, minion)
    fan_out.run(_job("t.work", 600, ids=["r-0", "r-1"]), minion, lambda job, ret, context: None)

    assert meant == [Srn("t", "r-0")]
    assert sorted(ret["resource_id"] for ret in returned) == ["r-0", "r-1"]
    assert all("does not hold t:r-" in ret["return"] for ret in returned)


def test_one_job_at_a_time_works_on_a_resource(fan_out, returned):
    minion = fan_out.managed._minion()

    jobs = [
        gevent.spawn(fan_out.run, _job("t.work", ids=["r-0"]), minion, lambda job, ret, context: None)
        for _ in range(2)
    ]
    gevent.joinall(jobs, timeout=10)
    fan_out.run(_job("t.most", ids=["r-1"]), minion, lambda job, ret, context: None)

    assert returned[-1]["return"][0] == 1


def test_returners_get_the_return_under_the_id_of_the_resource(fan_out):
    seen = []
    job = _job("t.work", ids=["r-0"])

    fan_out.run(job, fan_out.managed._minion(), lambda job, ret, context: seen.append(ret))

    assert [(ret["id"], ret["return"]) for ret in seen] == [("r-0", "r-0")]


def test_a_ping_that_hangs_ends_after_the_time_of_types(managed, returned):
    module = "import gevent.event\n\n\ndef ping():\n    gevent.event.Event().wait()\n"
    made = managed({"t": {"resource_ids": ["r-0"]}}, {"t/__init__.py": "", "t/modules/test.py": module})
    fan = FanOut(made, ResourceTimeouts(0, 0.05), deliver=returned.extend)
    fan.leases.take(True, asked=0)

    fan.run(_job("test.ping", ids=["r-0"]), made._minion(), lambda job, ret, context: None)

    assert returned[0]["return"] == "ERROR: no answer from t:r-0 within 0.05 s"
    assert returned[0]["success"] is False

"""Batches that a master runs for its users."""

from functools import partial

import gevent
import pytest

from salt_g.cache.embedded_store import EmbeddedStore
from salt_g.cache.jobs import Jobs
from salt_g.client.jobs import JobClient
from salt_g.data.run_record import RunHooks, RunRecord
from salt_g.event.bus import Bus
from salt_g.master.calls.authorization import CommandCaller
from salt_g.master.publishing.batches import MAX_RUNNING, Batches
from salt_g.master.publishing.job_readers import JobReaders
from salt_g.process.supervisor import Supervisor
from tests.support.waiting import hub_until

OPTS = {"timeout": 5, "gather_job_timeout": 10, "nodegroups": {}, "publish_timeout": 30}
LOAD = {"fun": "test.echo", "arg": ["x"], "tgt": "*", "rules": {"size": "1"}, "user": "fred", "key": "k"}


class Master:
    """Batches whose jobs are returned by `a` and `b` at once, except while `may_return` is unset."""

    def __init__(self, store):
        self.bus, self.requests = Bus(), []
        self.may_return = gevent.event.Event()
        self.may_return.set()
        self.refusal = None
        self.supervisor = Supervisor("test")
        self.readers = JobReaders()
        self.jobs = Jobs(store)
        self.events = self.bus.watch("salt/batch/")
        self.batches = self.made()

    def made(self, **hooks):
        """Return new batches, recorded by these hooks."""
        return Batches(
            make_client=partial(JobClient, OPTS),
            answer=self.answer,
            bus=self.bus,
            jobs=self.jobs,
            supervisor=self.supervisor,
            readers=self.readers,
            local_name=lambda load, caller: "fred",
            caller_of=lambda name: CommandCaller(uid=4711) if name == "fred" else None,
            hooks=RunHooks(**hooks),
        )

    def answer(self, load, caller):
        self.requests.append((load, caller))
        if self.refusal:
            raise self.refusal
        ids = ["a", "b"] if load["tgt"] == "*" else load["tgt"]
        jid = load["jid"] or self.jobs.new_jid()
        if load["fun"] == "test.ping" or self.may_return.is_set():
            for id in ids:
                fields = {"id": id, "jid": jid, "return": True, "retcode": 0}
                gevent.spawn(self.bus.fire, f"salt/job/{jid}/ret/{id}", fields)
        return {"load": {"jid": jid, "minions": ids}}

    def ended(self, jid):
        """Wait for the end of a batch and return its status."""
        hub_until(lambda: jid not in self.batches.running())
        return self.batches.status(jid)

    def tags(self):
        return [event.tag.split("/", 3)[-1] for event in iter(self.events.take, None)]


@pytest.fixture
def master(tmp_path):
    with EmbeddedStore(str(tmp_path)) as store:
        made = Master(store)
        yield made
        made.supervisor.stop()


def test_a_batch_goes_from_slice_to_slice_as_its_user(master):
    result = master.batches.start(LOAD, CommandCaller(uid=1000))
    jid = result["jid"]
    assert result["tag"] == f"salt/batch/{jid}"
    assert master.batches.running()[jid]["user"] == "fred"

    status = master.ended(jid)

    assert (status["total"], status["completed"], status["failed"], status["halted"]) == (2, 2, 0, False)
    published = [(load, caller) for load, caller in master.requests if load["fun"] == "test.echo"]
    assert [load["tgt"] for load, _ in published] == [["a"], ["b"]]
    assert {(load["user"], load["key"], caller.uid) for load, caller in published} == {("fred", "k", 1000)}
    tags = master.tags()
    assert (tags[0], tags[-1]) == ("new", "complete")
    assert master.readers.of(f"salt/batch/{jid}/new") == {1000}


@pytest.mark.parametrize(
    "load",
    [
        {"rules": None},
        {"rules": {}},
        {"rules": {"size": "many"}},
        {"rules": {"size": "inf%"}},
        {"rules": {"size": "1", "wait": "soon"}},
        {"rules": {"size": "1", "wait": "nan"}},
        {"kwargs": ["x"]},
        {"arg": "x"},
    ],
    ids=str,
)
def test_a_malformed_batch_is_not_started(master, load):
    assert master.batches.start({**LOAD, **load}, CommandCaller())["error"]
    assert (master.batches.running(), master.requests) == ({}, [])


def test_a_load_cannot_set_what_the_master_sets(master):
    ours = {"jid": "20260102030405678901", "is_stopped": 5, "client": 5, "rules": 5, "metadata": {"a": 1}}

    jid = master.batches.start({**LOAD, "kwargs": ours}, CommandCaller())["jid"]

    assert jid != ours["jid"]
    assert master.ended(jid)["completed"] == 2
    assert master.requests[-1][0]["kwargs"]["metadata"] == {"a": 1}


def test_a_batch_is_resumed_as_its_user_behind_what_was_kept(master):
    kept, waited = {}, []
    record = RunRecord(lambda key, value: kept.update({key: value}) or True, {"found": [["a", "b"], []]})
    jid = master.jobs.new_jid()
    master.jobs.save_load(jid, {"fun": "test.echo", "user": "fred"}, ["a"])
    master.jobs.save_return({"jid": jid, "id": "a", "return": True, "retcode": 0}).result()
    noted = {"load": {**LOAD, "kwargs": {}}, "as": "fred"}

    assert master.batches.resume(jid, noted, record, lambda: waited.append(True))

    status = master.ended(jid)
    assert (status["total"], status["completed"], waited) == (2, 2, [True])
    slices = [(load["tgt"], load["jid"], caller.uid) for load, caller in master.requests]
    assert slices == [(["b"], jid, 4711)]
    assert kept["sent/b"] == ["b"]
    assert (master.tags()[-1], master.batches.resume(jid, {**noted, "as": "eve"}, record, print)) == (
        "complete",
        False,
    )


def test_each_slice_waits_until_the_master_takes_jobs(master):
    master.batches = master.made(wait_for_jobs=lambda: master.requests.append(({"fun": "wait"}, None)))

    master.ended(master.batches.start(LOAD, CommandCaller())["jid"])

    functions = [load["fun"] for load, _ in master.requests]
    assert functions == ["wait", "test.ping", "wait", "test.echo", "wait", "test.echo"]


def test_a_batch_that_another_master_has_publishes_nothing_and_is_left(master):
    record = RunRecord(lambda key, value: False, {"found": [["a", "b"], []]})
    jid = master.jobs.new_jid()

    ended = []
    master.batches = master.made(end=ended.append)
    master.batches.resume(jid, {"load": LOAD, "as": "fred"}, record, lambda: None)

    hub_until(lambda: jid not in master.batches.running())
    assert (master.requests, ended) == ([], [])
    assert master.tags() == ["left"]


@pytest.mark.parametrize(
    ("more", "as_"),
    [({}, "fred"), ({"kwargs": {"token": "t"}}, "fred"), ({"kwargs": {"password": "p"}}, None)],
)
def test_the_data_to_resume_a_batch_contains_no_password(master, more, as_):
    noted = []
    master.batches = master.made(begin=lambda jid, about, to_resume: noted.append(to_resume))

    master.ended(master.batches.start({**LOAD, **more}, CommandCaller())["jid"])

    (result,) = noted
    assert (result and result["as"]) == as_
    assert result is None or ("key" not in result["load"] and result["load"]["fun"] == "test.echo")


def test_a_stopped_batch_starts_no_further_minions(master):
    master.may_return.clear()
    jid = master.batches.start(LOAD, CommandCaller())["jid"]
    hub_until(lambda: master.batches.status(jid)["active"])

    at_work = master.batches.end(jid, timeout=20)

    status = master.ended(jid)
    assert at_work == ["a"]
    assert (status["halted"], status["pending"], status["completed"]) == (True, 1, 0)
    assert "complete" not in master.tags()


def test_unknown_batches_are_not_stopped(master):
    assert master.batches.stop("1") is False
    assert master.batches.end("1", 0) is None
    assert master.batches.status("1") is None


def test_an_error_ends_its_batch_only(master, caplog):
    master.refusal = ValueError("secret")

    jid = master.batches.start(LOAD, CommandCaller())["jid"]
    status = master.ended(jid)
    master.refusal = None
    other = master.batches.start(LOAD, CommandCaller())["jid"]

    assert status["halted_reason"] == "the master failed to run this batch; its log says why"
    assert f"batch {jid} failed" in caplog.text
    assert master.ended(other)["completed"] == 2


def test_the_number_of_simultaneous_batches_is_limited(master):
    result = [master.batches.start(LOAD, CommandCaller()) for _ in range(MAX_RUNNING + 1)]

    assert all("jid" in one for one in result[:-1])
    assert result[-1] == {"error": f"there are {MAX_RUNNING} batches already; wait for one to end"}

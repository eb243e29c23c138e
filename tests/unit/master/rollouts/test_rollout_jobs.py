"""Jobs of a rollout, which are sent once."""

import pytest

from salt_g.client.batch_window import BatchStep
from salt_g.client.jobs import JobClient
from salt_g.client.publishing import JobRequest
from salt_g.client.return_collector import Return
from salt_g.master.calls.authorization import CommandCaller
from salt_g.master.calls.call_clients import InProcessLink
from salt_g.master.rollouts.rollout_jobs import RolloutJobs

OPTS = {"timeout": 0.2, "gather_job_timeout": 0.2, "nodegroups": {}, "publish_timeout": 30}


@pytest.fixture
def made(master):
    """Return a function that makes jobs of a rollout with earlier records.

    `published` are the minions that have already received a job in doubt.
    """

    def make(known=None, published=frozenset()):
        def answer(load, caller):
            if load["cmd"] != "publish":
                return {}
            reply = master.publish(load, user="ann", uid=None, despite=[], is_staged=True)
            return {"load": reply}

        client = JobClient(OPTS, link=InProcessLink(answer, master.bus, CommandCaller()), user="ann")
        record = master.record(known)
        return RolloutJobs(
            client, record, master.jobs, lambda jid, ids: set(published), {"metadata": {"a": 1}}
        )

    return make


def run(jobs, ids, job=None, **options):
    job = job or JobRequest("*", "cmd.run", ["x"], jid="20260102030405678901")
    steps = list(jobs.run("wave/0", job, ids, timeout=0.2, **options))
    assert all(isinstance(one, (Return, BatchStep)) for one in steps)
    return sorted(one.id for one in steps if isinstance(one, Return))


def test_a_job_runs_in_slices_that_are_kept(made, master):
    assert run(made(), ["a", "b", "c"], size="2") == ["a", "b", "c"]

    first, *others = master.jobs_of("cmd.run")
    assert (first, [id for ids in others for id in ids]) == (["a", "b"], ["c"])
    assert master.kept["wave/0/sent/a"] == ["a", "b"]


def test_a_check_gets_a_jid_that_is_kept(made, master):
    check = JobRequest(None, "test.true", [])

    assert run(made(), ["a"], check) == ["a"]
    jid = master.kept["wave/0/jid"]
    assert run(made({"wave/0/jid": jid}), ["a"], check) == ["a"]

    assert master.jobs_of("test.true") == [["a"]]


def test_minions_of_this_part_without_the_job_get_it(made, master):
    jid = "20260102030405678901"
    master.jobs.save_load(jid, {"fun": "cmd.run", "user": "ann"}, ["a", "b", "c", "other"])
    master.jobs.save_return({"jid": jid, "id": "other", "return": "x", "retcode": 0})
    master.jobs.save_return({"jid": jid, "id": "a", "return": "x", "retcode": 0}).result()
    master.silent = {"b"}

    got = run(made({"wave/0/sent/a": ["a"]}, published={"b"}), ["a", "b", "c"])

    assert got == ["a", "c"]
    assert master.jobs_of("cmd.run") == [["c"]]


def test_a_closed_gate_lets_no_minion_begin(made, master):
    assert run(made(), ["a", "b"], size="1", gate=lambda: "close" if master.sent else "") == ["a"]


def test_a_return_whose_event_was_lost_is_read_in_the_store(made, master):
    master.silent = {"a", "b"}
    jobs = made()
    jid = "20260102030405678901"

    steps = jobs.run("wave/0", JobRequest("*", "cmd.run", ["x"], jid=jid), ["a", "b"], timeout=0.2)
    got = [next(steps)]
    master.jobs.save_return({"jid": jid, "id": "a", "return": "late", "retcode": 2}).result()
    got += list(steps)

    assert [(one.id, one.retcode) for one in got if isinstance(one, Return)] == [("a", 2)]
    assert [one.silent for one in got if isinstance(one, BatchStep) and one.silent] == ["b"]

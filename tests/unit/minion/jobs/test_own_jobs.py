"""Jobs that a minion starts itself."""

import pytest

from salt_g.data.jid import is_jid
from salt_g.minion.jobs.own_jobs import OwnJobs
from salt_g.minion.settings import OwnJobSettings, StartupStateSettings


class Jobs:
    """Notes the jobs that are started."""

    def __init__(self):
        self.started = []

    def start(self, job):
        self.started.append(job)


@pytest.fixture
def jobs():
    return Jobs()


@pytest.fixture
def own(jobs):
    return OwnJobs(OwnJobSettings("m1", "salt", StartupStateSettings("highstate")), jobs)


def test_a_job_of_its_own_is_for_this_minion_and_has_a_new_jid(own, jobs):
    first, second = (own.run("origin", {"fun": "test.ping"}) for _ in range(2))

    assert is_jid(first) and is_jid(second) and first != second
    load = dict(jobs.started[0].load)
    assert load.pop("jid") == first
    assert load == {
        **{"fun": "test.ping", "arg": [], "tgt": "m1", "tgt_type": "glob"},
        **{"ret": "", "user": "salt"},
    }
    assert jobs.started[0].origin == "origin"


def test_fields_given_by_the_job_take_precedence(own, jobs):
    jid = "20260102030405678901"

    assert own.run(None, {"fun": "f", "arg": [1], "jid": jid, "ret": "redis"}) == jid
    assert (jobs.started[0].load["arg"], jobs.started[0].load["ret"]) == ([1], "redis")
    assert own.run(None, {"fun": "f"}) != jid
    assert jobs.started[1].load["arg"] == []


def test_states_at_the_start_run_only_where_settings_name_them(own, jobs):
    OwnJobs(OwnJobSettings("m1", "salt", StartupStateSettings()), jobs).run_startup_states(None)
    assert jobs.started == []

    own.run_startup_states("master")

    [job] = jobs.started
    assert (job.load["fun"], job.origin) == ("state.highstate", "master")

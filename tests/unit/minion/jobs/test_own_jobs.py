"""Jobs that a minion starts itself."""

import pytest

from salt_g.data.jid import is_jid
from salt_g.minion.jobs.own_jobs import OwnJobs, startup_job
from salt_g.minion.settings import OwnJobSettings, StartupStateSettings


class Jobs:
    """Records started jobs."""

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


@pytest.mark.parametrize(
    ("opts", "fun", "arg"),
    [
        ({"startup_states": "highstate"}, "state.highstate", []),
        ({"startup_states": "sls", "sls_list": ["a", "b"]}, "state.sls", [["a", "b"]]),
        ({"startup_states": "sls"}, "state.sls", [[]]),
        ({"startup_states": "top", "top_file": "salt://top.sls"}, "state.top", ["salt://top.sls"]),
        ({"startup_states": "top", "top_file": None}, "state.top", [""]),
        ({"startup_states": "what"}, "state.highstate", []),
    ],
)
def test_the_setting_names_the_job(opts, fun, arg):
    job = startup_job(StartupStateSettings.of(opts))

    assert (job["fun"], job["arg"], job["return_jid"], job["ret"]) == (fun, arg, "req", "")


@pytest.mark.parametrize("wanted", [None, "", False])
def test_without_it_nothing_runs(wanted):
    assert startup_job(StartupStateSettings.of({"startup_states": wanted})) is None


def test_the_return_goes_to_the_job_cache_of_the_settings():
    settings = StartupStateSettings("highstate", ext_job_cache="redis")

    assert startup_job(settings)["ret"] == "redis"

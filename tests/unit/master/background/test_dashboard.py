"""Data of a master for `salt-g top`."""

import pytest

from salt_g.cache.embedded_store import EmbeddedStore
from salt_g.cache.jobs import FIND_JOB, Jobs
from salt_g.errors import StoreError
from salt_g.master.background.dashboard import SHOWN, Dashboard
from salt_g.master.publishing.expected_minions import ExpectedMinions
from salt_g.telemetry.metric_registry import MetricRegistry


class Keys:
    """Key files with these accepted ids."""

    def __init__(self, ids):
        self.ids = frozenset(ids)

    def accepted(self):
        return self.ids


class Presence:
    """Connected minions, and connections by address."""

    def __init__(self, ids, connections):
        self.ids, self.open = set(ids), connections

    def connected(self):
        return self.ids

    def connections(self):
        return self.open


@pytest.fixture
def jobs(tmp_path):
    with EmbeddedStore(str(tmp_path)) as store:
        yield Jobs(store)


@pytest.fixture
def running(jobs):
    return ExpectedMinions(jobs)


@pytest.fixture
def publish(jobs, running):
    """Return a function that makes a job for these minions, as published."""

    def save(jid, ids=("m1",), **load):
        load = {"jid": jid, "fun": "test.ping", "tgt": "*", "user": "root", **load}
        jobs.save_load(jid, load, ids).result(30)
        running.add(jid, ids)

    return save


@pytest.fixture
def show(jobs, running):
    """Return a function that makes the handler of a master with these minions."""

    def make(accepted=("m1",), connected=("m1",), connections=None, jobs=jobs):
        metrics = MetricRegistry()
        metrics.gauge("salt_g_x", "X.", lambda: 5)
        presence = Presence(connected, connections or {"10.0.0.1": 1})
        return Dashboard("main", metrics, Keys(accepted), presence, running, jobs)

    return make


def test_the_silent_are_those_with_a_key_and_without_a_connection(show):
    ids = [f"m{number:03}" for number in range(SHOWN + 10)]
    result = show(accepted=ids, connected=ids[:2]).snapshot({})

    assert (result["id"], result["silent"]) == ("main", ids[2 : SHOWN + 2])
    assert result["metrics"]["salt_g_x"]


@pytest.mark.parametrize(("number", "unheard"), [(0, 0), (1, 0), (5, 4)])
def test_connections_of_unknown_peers_are_counted(show, number, unheard):
    assert show(connections={"10.0.0.1": number}).snapshot({})["unheard"] == unheard


def test_jobs_are_listed_newest_first_and_returns_as_they_arrive(show, publish, jobs):
    publish("1", ["m1", "m2"])
    publish("2", fun=["test.ping", "test.version"], tgt=["m1"], user="fred")
    dashboard = show()

    nobody = {"done": 0, "away": 0}
    assert dashboard.snapshot({})["jobs"] == [
        {"jid": "2", "fun": "test.ping,test.version", "tgt": "m1", "user": "fred", "expected": 1, **nobody},
        {"jid": "1", "fun": "test.ping", "tgt": "*", "user": "root", "expected": 2, **nobody},
    ]
    jobs.save_return({"jid": "1", "id": "m1", "return": True}).result(30)
    assert [job["done"] for job in dashboard.snapshot({})["jobs"]] == [0, 1]


@pytest.mark.parametrize("count", [3, 200])
def test_minions_that_went_away_before_they_returned_are_counted(show, publish, jobs, count):
    ids = [f"m{number}" for number in range(count)]
    publish("1", ids)
    jobs.save_return({"jid": "1", "id": "m1", "return": True}).result(30)

    [job] = show(accepted=ids, connected=ids[-1:]).snapshot({})["jobs"]

    assert (job["expected"], job["done"], job["away"]) == (count, 1, count - 2)


def test_a_query_about_a_job_is_not_a_job(show, publish):
    publish("1", fun=FIND_JOB)

    assert show().snapshot({})["jobs"] == []


def test_the_number_of_jobs_and_the_length_of_a_target_are_limited(show, publish):
    for number in range(SHOWN + 5):
        publish(f"{number:03}", tgt=[f"minion{n}" for n in range(1000)])

    result = show().snapshot({})["jobs"]

    assert [job["jid"] for job in (result[0], result[-1])] == [f"{SHOWN + 4:03}", "005"]
    assert max(len(job["tgt"]) for job in result) == 100


def test_a_disk_that_fails_costs_the_jobs_and_nothing_else(show, publish):
    class Broken:
        """Jobs that cannot be read."""

        def get_load(self, jid):
            raise StoreError("store.db", "disk I/O error")

    publish("1")
    result = show(jobs=Broken()).snapshot({})

    assert (result["jobs"], result["silent"]) == ([], [])


def test_minions_of_another_master_are_not_silent(jobs, running):
    presence = Presence({"m1"}, {"10.0.0.1": 1})
    dashboard = Dashboard(
        "main", MetricRegistry(), Keys(["m1", "m2", "m3"]), presence, running, jobs, lambda: {"m1", "m2"}
    )

    assert dashboard.snapshot({})["silent"] == ["m3"]

"""Minions that the newest jobs expect."""

import tracemalloc

import pytest

from salt_g.cache.embedded_store import EmbeddedStore
from salt_g.cache.jobs import Jobs
from salt_g.master.publishing.expected_minions import MAX_IDS, ExpectedMinions


@pytest.fixture
def running(tmp_path):
    with EmbeddedStore(str(tmp_path)) as store:
        yield ExpectedMinions(Jobs(store))


def test_a_job_expects_the_minions_of_each_publication(running):
    running.add("1", ["m1"])
    running.add("1", ["m2"])

    assert [running.expects("1", id) for id in ("m1", "m2", "m3")] == [True, True, False]
    assert running.newest(5) == [("1", 2)]


def test_jobs_for_the_same_minions_share_one_set_of_ids(running):
    everybody = [f"m{number}" for number in range(1000)]
    tracemalloc.start()
    for number in range(100):
        running.add(f"{number:03}", everybody)
        running.add(f"{number:03}-found", everybody[:number])
    held, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert held < 2 * 2**20
    assert running.expects("042", "m999") and not running.expects("042-found", "m42")


def test_ids_shared_by_jobs_count_once(running, monkeypatch):
    everybody = [f"m{number}" for number in range(MAX_IDS // 4)]
    for number in range(12):
        running.add(f"{number:03}", everybody)
    monkeypatch.setattr(running._jobs, "get_expected", lambda jid: pytest.fail(f"{jid} was read again"))

    assert all(running.expects(f"{number:03}", "m7") for number in range(12))


def test_ids_of_their_own_are_forgotten_beyond_the_limit(running):
    for number in range(6):
        running.add(str(number), [f"{number}-{m}" for m in range(MAX_IDS // 4)])

    assert [jid for jid, _ in running.newest(10)] == ["5", "4", "3", "2"]
    assert running._size <= MAX_IDS
    for jid in ("2", "3", "4", "5"):
        running.add(jid, ["more"])
    assert len(running._jobs_of) == 4

"""Users who may read the events of a job."""

import pytest

from salt_g.master.publishing.job_readers import JobReaders

FRED, ANN = 1000, 1001


@pytest.mark.parametrize(
    ("kind", "tag"),
    [
        ("job", "salt/job/1/new"),
        ("job", "salt/job/1/ret/m1"),
        ("job", "salt/state_result/1/m1/a"),
        ("job", "1"),
        ("run", "salt/run/1/new"),
        ("wheel", "salt/wheel/1/ret"),
        ("batch", "salt/batch/1/start"),
    ],
)
def test_events_of_a_job_are_for_its_user(kind, tag):
    readers = JobReaders()
    readers.note(kind, "1", FRED)

    assert readers.of(tag) == {FRED}


@pytest.mark.parametrize(
    "tag",
    ["salt/run/1/new", "salt/job/2/new", "salt/auth", "salt/minion/1/start", "salt/job", "salt", "", "my/1"],
)
def test_events_of_unknown_jobs_have_no_readers(tag):
    readers = JobReaders()
    readers.note("job", "1", FRED)

    assert readers.of(tag) == frozenset()


def test_the_jid_of_another_users_job_opens_nothing():
    readers = JobReaders()
    readers.note("job", "1", FRED)

    readers.note("job", "1", ANN)

    assert readers.of("salt/job/1/new") == {FRED}


def test_a_job_of_an_unknown_user_can_be_noted_later():
    readers = JobReaders()
    readers.note("job", "1", None)

    assert readers.of("salt/job/1/new") == frozenset()


def test_the_oldest_are_forgotten():
    readers = JobReaders(capacity=2)
    for jid in "123":
        readers.note("job", jid, FRED)

    assert [bool(readers.of(f"salt/job/{jid}/new")) for jid in "123"] == [False, True, True]

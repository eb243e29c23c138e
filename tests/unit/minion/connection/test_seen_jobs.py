"""Jobs that a minion has received, from any master."""

from salt_g.minion.connection import seen_jobs
from salt_g.minion.connection.seen_jobs import REPEATED, MatchedJob, SeenJobs
from salt_g.resource_model.srn import Srn

OWN = MatchedJob(True)


def test_a_job_is_new_once():
    seen = SeenJobs(10)

    assert seen.new_addressees("1", OWN) == MatchedJob(True, [])
    assert seen.new_addressees("1", OWN) is None


def test_a_job_comes_again_for_other_addressees():
    seen, one, other = SeenJobs(10), Srn("dummy", "a"), Srn("dummy", "b")
    seen.new_addressees("1", MatchedJob(False, [one]))

    assert seen.new_addressees("1", MatchedJob(True, [one, other])) == MatchedJob(True, [other])


def test_a_job_that_had_begun_before_a_restart_is_not_new():
    seen = SeenJobs(10)
    seen.note_begun(["1"])

    assert seen.new_addressees("1", OWN) is None
    assert seen.new_addressees("2", OWN) is not None


def test_the_oldest_jobs_are_forgotten_once_no_master_repeats_them():
    now = [0.0]
    seen = SeenJobs(2, clock=lambda: now[0])
    for jid in ("1", "2", "3"):
        seen.new_addressees(jid, OWN)
    assert seen.new_addressees("1", OWN) is None

    now[0] += REPEATED
    seen.new_addressees("4", OWN)

    assert seen.new_addressees("1", OWN) is None, "it came again after the others"
    assert seen.new_addressees("2", OWN) is not None


def test_no_more_jobs_are_remembered_than_there_is_room_for(monkeypatch):
    monkeypatch.setattr(seen_jobs, "MOST", 3)
    seen = SeenJobs(2)
    for jid in ("1", "2", "3", "4"):
        seen.new_addressees(jid, OWN)

    assert seen.new_addressees("2", OWN) is None
    assert seen.new_addressees("1", OWN) is not None

"""Verdicts on jobs."""

from salt_g.master.fleet.job_verdicts import JobVerdicts
from salt_g.report.run_verdict import RunVerdict


class Jobs:
    def __init__(self):
        self.returns = {}
        self.read = 0

    def count_returned(self, jid):
        return len(self.returns)

    def get_returns(self, jid):
        self.read += 1
        return self.returns


def test_returns_are_counted_as_they_arrive():
    jobs = Jobs()
    verdicts = JobVerdicts(jobs)
    jobs.returns["m1"] = {"return": True}
    verdicts.note("1", RunVerdict("ok"))

    assert verdicts.of("1") == {"ok": 1}
    assert jobs.read == 0


def test_older_jobs_are_read_once():
    jobs = Jobs()
    jobs.returns = {"m1": {"return": True}, "m2": {"return": "x", "retcode": 1}}
    verdicts = JobVerdicts(jobs)

    assert verdicts.of("1") == verdicts.of("1") == {"ok": 1, "failed": 1}
    assert jobs.read == 1

"""Pages of jobs for users with different rights."""

import pytest

from salt_g.auth.sight import Sight
from salt_g.master.fleet import job_pages
from salt_g.master.fleet.job_pages import JobPages

JIDS = [f"2026010100000000000{number}" for number in range(5)]


class Jobs:
    """Job cache with five jobs, the last one of find_job."""

    def __init__(self):
        funs = ["test.ping", "cmd.run", "test.ping", "test.fib", "saltutil.find_job"]
        users = ["ann", "bob", "bob", "bob", "ann"]
        self.loads = {
            jid: {"jid": jid, "fun": fun, "user": user, "arg": [], "tgt": "*", "tgt_type": "glob"}
            for jid, fun, user in zip(JIDS, funs, users, strict=True)
        }

    def newest_loads(self, before=""):
        yield from ((jid, self.loads[jid]) for jid in reversed(JIDS) if jid < (before or "~"))

    def get_load(self, jid):
        return dict(self.loads.get(jid, {}))

    def get_expected(self, jid):
        return ["m1", "m2"]

    def get_returned(self, jid):
        return ["m1"]

    def get_returns_page(self, jid, after, limit):
        ids = [f"m{number}" for number in range(5) if f"m{number}" > after]
        yield from ((id, {"return": "x" * 10, "retcode": 0}) for id in ids[:limit])


class Verdicts:
    def of(self, jid):
        return {"failed" if jid == JIDS[3] else "ok": 1}


@pytest.fixture
def ask():
    views = JobPages(Jobs(), Verdicts(), steps=lambda jid: {"m1": {"total": 3}}).views()

    def run(view, permissions=(".*",), user="ann", **load):
        return views[view](load, Sight(user, [list(permissions)], lambda target: frozenset()))

    return run


def jids(result):
    return [row["jid"] for row in result["rows"]]


def test_jobs_come_newest_first_by_page(ask):
    result = ask("jobs", limit=2)
    assert (jids(result), result["next"]) == ([JIDS[3], JIDS[2]], JIDS[2])
    result = ask("jobs", limit=9, after=result["next"])
    assert (jids(result), result["next"]) == ([JIDS[1], JIDS[0]], None)


def test_jobs_are_chosen_by_function_user_and_verdict(ask):
    assert jids(ask("jobs", fun="test.p*")) == [JIDS[2], JIDS[0]]
    assert jids(ask("jobs", fun="saltutil.*")) == [JIDS[4]]
    assert jids(ask("jobs", by="ann")) == [JIDS[0]]
    assert jids(ask("jobs", verdict="failed")) == [JIDS[3]]


def test_a_page_examines_a_bounded_number_of_jobs(ask, monkeypatch):
    monkeypatch.setattr(job_pages, "MOST_EXAMINED", 2)
    result = ask("jobs", by="nobody")
    assert (jids(result), result["next"]) == ([], JIDS[3])


def test_jobs_of_others_are_hidden_without_the_right(ask):
    assert jids(ask("jobs", permissions=["test.ping"])) == [JIDS[2], JIDS[0]]
    for view in ("job_row", "job_returns", "job_steps"):
        assert ask(view, permissions=["test.ping"], jid=JIDS[1]) == {"row": None}
        assert ask(view, jid="20200101000000000000") == {"row": None}
        assert ask(view, permissions=[], user="bob", jid=JIDS[1])["row"]


def test_a_row_counts_silent_minions(ask):
    result = ask("job_row", jid=JIDS[0])
    assert (result["minions"], result["missing"]) == (["m1", "m2"], ["m2"])
    assert result["row"]["counts"] == {"ok": 1, "silent": 1}
    assert result["row"]["verdict"] == "silent"
    assert (result["row"]["expected"], result["row"]["returned"]) == (2, 1)


def test_returns_come_by_page_of_entries_and_bytes(ask, monkeypatch):
    result = ask("job_returns", jid=JIDS[0], limit=2)
    assert ([row["id"] for row in result["rows"]], result["next"]) == (["m0", "m1"], "m1")
    result = ask("job_returns", jid=JIDS[0], limit=5, after="m1")
    assert ([row["id"] for row in result["rows"]], result["next"]) == (["m2", "m3", "m4"], None)
    monkeypatch.setattr(job_pages, "MOST_BYTES", 1)
    assert ask("job_returns", jid=JIDS[0], limit=5)["next"] == "m0"


def test_live_steps_are_shown(ask):
    assert ask("job_steps", jid=JIDS[0])["steps"] == {"m1": {"total": 3}}

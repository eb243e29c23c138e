"""Routes of jobs."""

import pytest

from salt_g.http_api.messages import Refusal
from salt_g.http_api.v1 import job_routes

ROW = {"jid": "1", "fun": "test.ping", "arg": [], "tgt": "*", "tgt_type": "glob", "user": "ann"}


@pytest.fixture
def returns(master):
    """Serve two pages of returns of a job with three minions."""
    pages = {
        "": {"row": True, "rows": [{"id": "m1", "return": "x" * 100, "retcode": 0}], "next": "m1"},
        "m1": {"row": True, "rows": [{"id": "m2", "return": 1, "retcode": 1}], "next": None},
    }
    master.answers["job_row"] = {"row": ROW, "minions": ["m1", "m2", "m3"], "missing": ["m3"]}
    master.answers["job_returns"] = lambda load: pages[load["after"]]


def test_a_report_has_all_pages_of_returns(call, returns):
    result = call("GET", "/jobs/1/report").data
    assert result["counts"] == {"failed": 1, "silent": 1, "ok": 1}


def test_a_report_is_bounded(call, returns, monkeypatch):
    monkeypatch.setattr(job_routes, "MAX_REPORT", 50)
    with pytest.raises(Refusal) as refusal:
        call("GET", "/jobs/1/report")
    assert refusal.value.status == 413


def test_a_job_that_is_not_seen_is_not_there(call, master):
    for view in ("job_row", "job_returns", "job_steps"):
        master.answers[view] = {"row": None}
    for method, path in (("GET", ""), ("GET", "/returns"), ("GET", "/report"), ("DELETE", "")):
        with pytest.raises(Refusal) as refusal:
            call(method, f"/jobs/1{path}")
        assert refusal.value.status == 404


def test_the_user_of_a_list_is_not_the_sender(call, master):
    master.answers["jobs"] = {"rows": [], "next": None}
    call("GET", "/jobs", {"user": "bob"})
    load, _ = master.requests[-1]
    assert load["by"] == "bob"
    assert "user" not in load

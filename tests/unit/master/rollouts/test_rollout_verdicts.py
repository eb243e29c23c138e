"""Criteria for the failure of a job, a check and an undo."""

import pytest

from salt_g.client.return_collector import Return
from salt_g.client.rollout_rules import Check
from salt_g.master.rollouts.rollout_verdicts import why_check_failed, why_failed, why_not_undone

QUERY = Check("http.query", ["http://x/health", {"__kwarg__": True, "status": 200}])


def returned(value, retcode=0):
    return Return("web1", {"id": "web1", "jid": "1", "return": value, "retcode": retcode})


@pytest.mark.parametrize(
    ("value", "retcode", "why"),
    [
        ("fine", 0, ""),
        (False, 0, ""),
        ("no such file\nor so", 2, "retcode 2: no such file or so"),
        ({"a": 1}, 3, "retcode 3"),
        (["Rendering SLS failed"], 1, "retcode 1: Rendering SLS failed"),
        (
            {"x": {"result": False, "__id__": "nginx"}, "y": {"result": True, "__id__": "fine"}},
            2,
            "1 state failed: nginx",
        ),
    ],
    ids=str,
)
def test_a_job_has_failed_by_its_return_code(value, retcode, why):
    assert why_failed(returned(value, retcode)) == why


@pytest.mark.parametrize(
    ("value", "retcode", "why"),
    [
        ({"status": 200}, 0, ""),
        ({"status": 500, "error": "HTTP 500: sorry"}, 0, "status 500, not 200 (HTTP 500: sorry)"),
        ({"status": 0, "error": "refused"}, 0, "status 0, not 200 (refused)"),
        ("x", 1, "retcode 1: x"),
    ],
    ids=str,
)
def test_a_query_needs_the_status_that_it_names(value, retcode, why):
    found = why_check_failed(QUERY, returned(value, retcode))

    assert found == (f"check http.query http://x/health: {why}" if why else "")


@pytest.mark.parametrize(
    ("value", "why"),
    [
        (True, ""),
        (None, ""),
        ("text", ""),
        ({"error": "", "body": "x"}, ""),
        (False, "it returned False"),
        ({"result": False, "comment": "too old"}, "too old"),
        ({"success": False}, "its result is False"),
        ({"error": "refused"}, "refused"),
    ],
    ids=str,
)
def test_a_check_has_failed_by_false_or_an_error(value, why):
    found = why_check_failed(Check("service.status", ["nginx"]), returned(value))

    assert found == (f"check service.status nginx: {why}" if why else "")


def test_an_incomplete_undo_is_a_failure():
    assert why_not_undone(returned({"result": True})) == ""
    assert why_not_undone(returned({"result": False, "comment": "1 left"})) == "1 left"
    assert why_not_undone(returned("No record of job 1", 1)) == "retcode 1: No record of job 1"
    assert len(why_not_undone(returned("x" * 999, 1))) < 200

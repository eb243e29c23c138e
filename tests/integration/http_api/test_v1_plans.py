"""Plans of /v1, with a real fleet: made, shown by content, approved by another person, applied exactly."""

import pathlib

import pytest

from tests.support.api_fleet import running
from tests.support.commands import Machine, outcome_of
from tests.support.waiting import until

RIGHTS = {
    "ann": [{"m*": [{"state.apply": {"kwargs": {"test": "True"}}}, "state.apply_plan"]}],
    "ben": [{"m*": ["state.approve_plan"]}],
    "eve": ["test.*"],
}
#: `same` is one change on both minions. They share a machine, so it is not in a file: the first minion that
#: applied it would make drift for the other.
SLS = """
{{DIR}}/motd-{{ grains.id }}:
  file.managed:
    - contents: hello
same:
  test.succeed_with_changes:
    - name: <b>all</b>
    - unless: test -e {{DIR}}/never
"""


@pytest.fixture(scope="module")
def fleet():
    settings = {"external_auth": {"sharedsecret": RIGHTS}, "plan_approval": "other"}
    with running(ids=("m1", "m2"), **settings) as parts:
        states = pathlib.Path(parts[0].settings["file_roots"]["base"][0])
        (states / "web.sls").write_text(SLS.replace("{{DIR}}", str(parts[0].root)))
        (states / "run.sls").write_text("reindex:\n  cmd.run:\n    - name: 'true'\n")
        yield parts


@pytest.fixture(scope="module")
def ann(v1):
    return v1.as_user("ann")


@pytest.fixture(scope="module")
def ben(v1):
    return v1.as_user("ben")


@pytest.fixture(scope="module")
def eve(v1):
    return v1.as_user("eve")


def made(user, sls="web", tgt="*", **more):
    """Return the id of a closed plan."""
    status, result = user.call("POST", "/plans", {"tgt": tgt, "arg": [sls], **more})
    assert status == 202, result
    until(lambda: not user.get(f"/jobs/{result['jid']}")["missing"], "the test run")
    assert user.call("POST", f"/plans/{result['id']}:close")[1]["is_closed"]
    return result["id"]


def test_a_plan_is_made_shown_by_content_and_applied_after_an_approval(fleet, ann, ben):
    id = made(ann, name="web.plan")
    event = ann.get(f"/plans/{id}")
    assert event["refused"] == {}
    assert (event["plan"]["state"], event["plan"]["counts"]["change"]) == ("waiting", 2)
    changes = ann.get(f"/plans/{id}/changes")
    assert (changes["total"], changes["idle"]) == (3, [])
    first, *others = changes["items"]
    assert (first["id"], first["count"], first["minions"]) == ("same", 2, ["m1", "m2"])
    assert [one["minions"] for one in others] == [["m1"], ["m2"]]
    assert ann.get(f"/plans/{id}/changes?minion=m1")["total"] == 2
    page = ann.get(f"/plans/{id}/changes?limit=1")
    assert ann.get(f"/plans/{id}/changes?after={page['next']}&limit=1")["items"] == others[:1]

    status, refused = ann.call("POST", f"/plans/{id}:apply", {})
    assert (status, "has to approve it" in refused["detail"]) == (409, True)
    assert ann.call("POST", f"/plans/{id}:approve")[0] == 403
    assert ben.call("POST", f"/plans/{id}:apply", {})[0] == 403
    assert ben.call("POST", f"/plans/{id}:approve")[1]["state"] == "ready"
    status, started = ann.call("POST", "/plans/web.plan:apply", {})
    assert status == 202
    until(lambda: not ann.get(f"/jobs/{started['jid']}")["missing"], "the application")
    assert (fleet[0].root / "motd-m1").read_text() == "hello\n"
    assert ann.get(f"/plans/{id}")["plan"]["state"] == "applied"
    assert ann.call("POST", f"/plans/{id}:apply", {})[0] == 409


def test_a_plan_of_others_does_not_exist_and_nobody_plans_without_the_right(ann, ben, eve):
    id = made(ann, tgt="m1")
    for method, path in (("GET", ""), ("GET", "/changes"), ("POST", ":approve"), ("DELETE", "")):
        assert eve.call(method, f"/plans/{id}{path}")[0] == 404
    assert eve.get("/plans")["items"] == []
    assert id in [one["id"] for one in ben.get("/plans")["items"]]
    assert eve.call("POST", "/plans", {"tgt": "*", "arg": ["web"]})[0] == 403
    assert ben.call("POST", f"/plans/{id}:close")[0] == 403
    assert ben.call("DELETE", f"/plans/{id}")[0] == 403
    assert ann.call("DELETE", f"/plans/{id}") == (200, {"dropped": id})
    assert ann.call("DELETE", f"/plans/{id}")[0] == 404


def test_commands_need_to_be_accepted(ann, ben):
    id = made(ann, "run", tgt="m1")
    [change] = ann.get(f"/plans/{id}/changes")["items"]
    assert change["opaque"] == "runs true"
    ben.call("POST", f"/plans/{id}:approve")
    status, result = ann.call("POST", f"/plans/{id}:apply", {})
    assert (status, "run commands" in result["detail"]) == (409, True)
    status, started = ann.call("POST", f"/plans/{id}:apply", {"accept_opaque": True})
    assert status == 202
    # The next plan would find its minion busy.
    until(lambda: not ann.get(f"/jobs/{started['jid']}")["missing"], "the application")


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"tgt": "*", "fun": "test.ping"},
        {"tgt": "*", "kwarg": {"test": False}},
        {"tgt": "none*", "arg": ["web"]},
        {"tgt": "*", "colour": 1},
    ],
)
def test_a_malformed_plan_is_refused(ann, body):
    assert ann.call("POST", "/plans", body)[0] in (400, 403)


def test_the_command_line_shows_the_same_plan(fleet, ann):
    id = made(ann, tgt="m2")
    shown = outcome_of([Machine.program, "plan", "show", id, "-c", str(fleet[0].config_dir)])
    assert f"plan {id}: 1 minion" in shown.out

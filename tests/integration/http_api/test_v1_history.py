"""History and drift of /v1, with a real minion."""

import pathlib

import pytest

from tests.support.api_fleet import running
from tests.support.waiting import until


@pytest.fixture(scope="module")
def fleet():
    with running(history=True) as parts:
        states = pathlib.Path(parts[0].settings["file_roots"]["base"][0])
        target = parts[0].root / "motd"
        (states / "web.sls").write_text(
            f"motd:\n  file.managed:\n    - name: {target}\n    - contents: one\n"
        )
        yield parts


@pytest.fixture(scope="module")
def ann(v1):
    return v1.as_user("ann")


def apply(user, *words):
    job = {"tgt": "*", "fun": "state.apply", "arg": ["web"], "kwarg": dict.fromkeys(words, True)}
    status, started = user.call("POST", "/jobs", job)
    assert status == 202
    until(lambda: not user.get(f"/jobs/{started['jid']}")["missing"], "the states")


def test_changes_and_drift_are_reported_with_their_diffs(fleet, ann, v1):
    target = fleet[0].root / "motd"
    apply(ann)
    until(lambda: ann.get(f"/history?name={target}")["items"], "the first change")
    target.write_text("edited\n")
    apply(ann, "test")
    until(lambda: ann.get("/drift")["items"], "drift that was found")
    [found] = ann.get("/drift")["items"]
    assert (found["state"], found["minions"], found["name"]) == ("found", ["m1"], str(target))
    assert "-edited" in ann.get(f"/history/texts/{found['text']}")["text"]

    apply(ann)
    until(lambda: ann.get("/drift")["items"][0]["state"] == "corrected", "the correction")
    items = ann.get("/history?q=MOTD&minion=m*")["items"]
    assert [(one["cause"], one["test"]) for one in items] == [
        *(("corrective", False), ("corrective", True), ("unknown", False)),
    ]
    assert [one["user"] for one in items] == ["ann"] * 3
    page = ann.get("/history?limit=1")
    assert ann.get(f"/history?limit=2&after={page['next']}")["items"] == items[1:]
    assert len(ann.get("/history?cause=corrective")["items"]) == 2
    assert ann.get("/drift")["not_tested"] == []
    bob = v1.as_user("bob")
    for path in ("/history", "/drift", f"/history/texts/{found['text']}"):
        assert bob.call("GET", path)[0] == 403


@pytest.mark.parametrize("query", ["cause=mine", "since=0", "after=made-up", "limit=0"])
def test_questions_that_cannot_be_are_refused(ann, query):
    assert ann.call("GET", f"/history?{query}")[0] == 400

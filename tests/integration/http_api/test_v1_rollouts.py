"""Rollouts of /v1, with a real fleet: started, controlled by their user, hidden from all others."""

import pathlib

import pytest

from tests.support.api_fleet import running
from tests.support.waiting import until

RIGHTS = {"ann": ["state.*", "test.*"], "eve": [{"m1": ["test.*"]}], "ops": ["@runner"]}
SLS = """
note:
  cmd.run:
    - name: echo {{ grains.id }} >> DIR/ran; until [ -e DIR/gate ]; do sleep 0.1; done
"""


@pytest.fixture(scope="module")
def fleet():
    with running(ids=("m1", "m2"), external_auth={"sharedsecret": RIGHTS}) as parts:
        states = pathlib.Path(parts[0].settings["file_roots"]["base"][0])
        (states / "web.sls").write_text(SLS.replace("DIR", str(parts[0].root)))
        yield parts


@pytest.fixture
def user(v1):
    """Return the client of a user."""
    return v1.as_user


def test_a_rollout_is_begun_paused_and_stopped_by_its_user(fleet, user):
    ann, ops, eve = user("ann"), user("ops"), user("eve")
    body = {"tgt": "m*", "fun": "state.apply", "arg": ["web"], "waves": ["1", "100%"]}
    status, result = ann.call("POST", "/rollouts", body)
    assert status == 202, result
    path = f"/rollouts/{result['jid']}"
    until((fleet[0].root / "ran").exists, "the first wave")

    assert ann.call("POST", f"{path}:pause")[0] == 200
    (fleet[0].root / "gate").touch()
    until(lambda: ann.get(path)["state"] == "paused", "the pause")
    assert (fleet[0].root / "ran").read_text() == "m1\n"
    shown = ops.get(path)
    assert [(one["size"], one["done"], one["state"]) for one in shown["waves"]] == [
        (1, 1, "done"),
        (1, 0, "waiting"),
    ]
    assert eve.call("GET", path)[0] == 403
    assert eve.get("/rollouts")["items"] == []
    assert eve.call("POST", f"{path}:stop")[0] == 403
    assert [one["jid"] for one in ann.get("/rollouts")["items"]] == [result["jid"]]

    assert ops.call("POST", f"{path}:stop")[0] == 200
    until(lambda: ann.get(path)["state"] == "stopped", "the stop")
    assert ann.get(path)["untouched"] == 1
    status, refused = ann.call("POST", f"{path}:resume")
    assert (status, "is stopped" in refused["detail"]) == (409, True)
    assert ann.call("GET", "/rollouts/20200101000000000000")[0] in (403, 404)


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({"tgt": "m*", "fun": "test.ping"}, 400),
        ({"tgt": "m*", "fun": "test.ping", "waves": ["10%", "5%"]}, 400),
        ({"tgt": "m*", "fun": "test.ping", "waves": ["1"], "checks": ["test.ping"]}, 400),
        ({"tgt": "m*", "fun": "test.ping", "waves": ["1"], "undo": True}, 400),
        ({"tgt": "m*", "fun": "cmd.run", "arg": ["true"], "waves": ["1"]}, 403),
        ({"tgt": "m*", "fun": "test.ping", "waves": ["1"], "checks": [["cmd.run", ["true"]]]}, 403),
        ({"tgt": "none*", "fun": "test.ping", "waves": ["1"]}, 400),
    ],
)
def test_a_malformed_or_forbidden_rollout_is_refused(user, body, status):
    assert user("ann").call("POST", "/rollouts", body)[0] == status

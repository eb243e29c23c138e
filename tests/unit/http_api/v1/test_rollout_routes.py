"""Routes of rollouts, over values from a fake master."""

import jsonschema
import pytest

from salt_g.http_api.messages import Refusal
from salt_g.http_api.v1.schemas import COMPONENTS

STATUS = {
    **{"jid": "20261128120000000000", "function": "state.apply", "arguments": ["web"], "target": "web*"},
    **{"user": "ann", "state": "stopped", "reached": 12, "total": 100, "untouched": 88, "undone": 12},
    **{"stopped": "10 % failed, at most 5 %", "started": 1.0, "ended": 2.0, "away": [], "undo_failed": {}},
    "waves": [
        {"size": 2, "state": "done", "minions": ["web1", "web2"], "failed": {}, "done": 2},
        {
            "size": 10,
            "state": "failed",
            "minions": ["web3"] * 1200,
            "failed": {"web8": "check: 503"},
            "done": 9,
        },
        {"size": 88, "state": "waiting", "minions": [], "failed": {}, "done": 0},
    ],
}


@pytest.fixture
def rollout_status(master):
    """Return the status reported by the master; tests may change it."""
    status = dict(STATUS)
    newer = {**STATUS, "jid": "20261128130000000000"}
    master.answers |= {
        "rollout_list": {"rollouts": [STATUS, newer]},
        "rollout_status": lambda load: {"rollout": status if load["jid"] == status["jid"] else None},
        "rollout_order": lambda load: {"ordered": status["ended"] is None},
        "rollout": {"tag": "salt/rollout/7", "jid": "7"},
    }
    return status


def validate(name, data):
    schema = {"$ref": f"#/components/schemas/{name}", "components": {"schemas": COMPONENTS}}
    jsonschema.validate(data, schema, cls=jsonschema.Draft202012Validator)
    return data


def test_rollouts_come_newest_first_without_their_minions(call, rollout_status):
    page = validate("RolloutPage", call("GET", "/rollouts", {"limit": "1"}).data)
    assert ([one["jid"] for one in page["items"]], page["total"]) == (["20261128130000000000"], 2)
    wave = page["items"][0]["waves"][1]
    assert (wave["count"], wave["failures"], wave["minions"]) == (1200, 1, [])
    page = call("GET", "/rollouts", {"after": page["next"]}).data
    assert ([one["jid"] for one in page["items"]], page["next"]) == (["20261128120000000000"], None)


def test_a_rollout_is_shown_with_its_waves(call, rollout_status):
    shown = validate("Rollout", call("GET", f"/rollouts/{rollout_status['jid']}").data)
    assert (len(shown["waves"][1]["minions"]), shown["waves"][1]["failed"]) == (1000, {"web8": "check: 503"})
    with pytest.raises(Refusal) as refusal:
        call("GET", "/rollouts/1")
    assert refusal.value.status == 404


@pytest.mark.parametrize("word", ["pause", "resume", "stop"])
def test_a_rollout_is_paused_resumed_and_stopped(call, master, rollout_status, word):
    rollout_status |= {"jid": "7", "state": "paused", "ended": None}
    assert call("POST", f"/rollouts/7:{word}").data["state"] == "paused"
    [load] = [load for load, _ in master.requests if load["cmd"] == "rollout_order"]
    assert (load["jid"], load["order"]) == ("7", word)


def test_an_ended_rollout_takes_no_order(call, rollout_status):
    with pytest.raises(Refusal) as refusal:
        call("POST", f"/rollouts/{rollout_status['jid']}:pause")
    assert (refusal.value.status, "is stopped" in str(refusal.value)) == (409, True)


def test_a_rollout_is_started_with_its_rules(call, master, rollout_status):
    rules = {"waves": ["1", "100%"], "checks": [["test.ping", []]], "soak": 5, "undo": True}
    body = {"tgt": "web*", "fun": "state.apply", "arg": ["web"], "kwarg": {"queue": True}, **rules}
    answer = call("POST", "/rollouts", data=body)
    assert (answer.status, answer.data) == (202, {"jid": "7"})
    [load] = [load for load, _ in master.requests if load["cmd"] == "rollout"]
    assert (load["rules"], load["tgt"], load["fun"]) == (rules, "web*", "state.apply")
    assert load["arg"] == ["web", {"__kwarg__": True, "queue": True}]


@pytest.mark.parametrize(
    "body", [{}, {"tgt": "*", "fun": "test.ping"}, {"tgt": "*", "fun": "x.y", "waves": "1"}]
)
def test_a_malformed_rollout_is_refused(call, rollout_status, body):
    with pytest.raises(Refusal) as refusal:
        call("POST", "/rollouts", data=body)
    assert refusal.value.status == 400

"""Routes of rollouts, over the values that the runner gives."""

import jsonschema
import pytest

from salt_g.http_api.messages import Refusal
from salt_g.http_api.v1.schemas import COMPONENTS

STATUS = {
    **{"jid": "20261128120000000000", "function": "state.apply", "arguments": ["web"], "target": "web*"},
    **{"user": "ann", "state": "stopped", "reached": 12, "total": 100, "untouched": 88, "undone": 12},
    **{"stopped": "10 % failed, at most 5 %", "started": 1.0, "ended": 2.0},
    "waves": [
        {"size": 2, "state": "done", "minions": ["web1", "web2"], "failed": {}},
        {"size": 10, "state": "failed", "minions": ["web3"] * 1200, "failed": {"web8": "check: 503"}},
        {"size": 88, "state": "waiting", "minions": [], "failed": {}},
    ],
}


class Orders:
    """Orders whose runners are a table {function: return}."""

    def __init__(self, others):
        self.ask, self.check = others.ask, others.check
        self.told = {"rollout.list": [STATUS, {**STATUS, "jid": "20261128130000000000"}]}
        self.run_orders = []

    def run(self, order, client):
        self.run_orders.append((order["fun"], order["kwarg"]))
        return [self.told.get(order["fun"])]


@pytest.fixture
def orders(parts):
    parts.orders = Orders(parts.orders)
    return parts.orders


def validate(name, data):
    schema = {"$ref": f"#/components/schemas/{name}", "components": {"schemas": COMPONENTS}}
    jsonschema.validate(data, schema, cls=jsonschema.Draft202012Validator)
    return data


def test_rollouts_come_newest_first_without_their_minions(call, orders):
    told = validate("RolloutPage", call("GET", "/rollouts", {"limit": "1"}).data)
    assert ([one["jid"] for one in told["items"]], told["total"]) == (["20261128130000000000"], 2)
    wave = told["items"][0]["waves"][1]
    assert (wave["count"], wave["failures"], wave["minions"]) == (1200, 1, [])
    told = call("GET", "/rollouts", {"after": told["next"]}).data
    assert ([one["jid"] for one in told["items"]], told["next"]) == (["20261128120000000000"], None)


def test_a_rollout_is_shown_with_its_waves(call, orders):
    orders.told["rollout.status"] = STATUS
    told = validate("Rollout", call("GET", "/rollouts/20261128120000000000").data)
    assert (len(told["waves"][1]["minions"]), told["waves"][1]["failed"]) == (1000, {"web8": "check: 503"})
    orders.told["rollout.status"] = None
    with pytest.raises(Refusal) as refusal:
        call("GET", "/rollouts/1")
    assert refusal.value.status == 404


@pytest.mark.parametrize("word", ["pause", "resume", "stop"])
def test_a_rollout_is_paused_resumed_and_stopped(call, orders, word):
    orders.told["rollout.status"] = {**STATUS, "state": "paused"}
    assert call("POST", f"/rollouts/7:{word}").data["state"] == "paused"
    assert orders.run_orders[0] == (f"rollout.{word}", {"jid": "7"})

import pytest

from salt_g.errors import ClientError
from salt_g.master.plans.plan_gate import COMMANDS, PlanGate, UserPlanGate
from tests.support.plan_records import ID, JID, document, record


class Request:
    id = "web1"


def test_returns_without_a_plan_pass_untouched_and_others_lose_it(banks, master_key):
    gate = PlanGate(banks, master_key)
    load = {"id": "web1", "jid": JID, "return": 1}

    assert gate.take(dict(load)) == load
    assert "kept" not in vars(gate)
    gate.kept.write(record(until=float("inf")))
    assert gate.take({**load, "plan": {"id": ID, "document": document("same")}}) == load
    gate.kept.write(record())
    assert gate.kept.names(ID) == ["web1"]


def test_commands_of_users_and_minions_reach_their_parts(banks, master_key):
    gate = PlanGate(banks, master_key)

    class Commands:
        def serve(self, name, load, caller):
            return (name, load, caller)

    users = UserPlanGate(gate, lambda kept: Commands()).commands()

    assert set(users) == {f"plan_{name}" for name in COMMANDS}
    assert users["plan_show"]({"plan": ID}, "caller") == ("show", {"plan": ID}, "caller")
    command = gate.commands()["_plan"]
    assert "no such plan" in command.run(Request, {"plan": ID, "jid": JID})["error"]


def test_a_rollout_names_a_plan_in_place_of_a_function(banks, master_key):
    applied = []

    class Commands:
        def applied_in_waves(self, load, caller, jid):
            applied.append((load["plan"], load["accept_opaque"], jid))

    gate = UserPlanGate(PlanGate(banks, master_key), lambda kept: Commands())

    gate.applied_in_waves({"fun": ID, "arg": ["accept_opaque=True"]}, "caller", JID)
    gate.applied_in_waves({"fun": ID}, "caller", JID)
    assert applied == [(ID, True, JID), (ID, False, JID)]
    with pytest.raises(ClientError, match="only accept_opaque=True"):
        gate.applied_in_waves({"fun": ID, "arg": ["web"]}, "caller", JID)

"""Routes of plans: list, make, show, close, approve, apply, drop."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from salt_g.auth.local_users import SUDO
from salt_g.http_api.api_services import Answer
from salt_g.http_api.messages import Refusal
from salt_g.http_api.v1.bodies import checked
from salt_g.http_api.v1.route import Called
from salt_g.http_api.v1.route_orders import check_may_order, command

#: Fields of a new plan.
PLAN_FIELDS: dict[str, tuple[tuple[type, ...], bool]] = {
    "tgt": ((str, list), True),
    "tgt_type": ((str,), False),
    "fun": ((str,), False),
    "arg": ((list,), False),
    "kwarg": ((dict,), False),
    "name": ((str,), False),
}
#: Fields of a request to apply a plan.
APPLY_FIELDS: dict[str, tuple[tuple[type, ...], bool]] = {
    "accept_opaque": ((bool,), False),
    "all_at_once": ((bool,), False),
}
#: Maximum number of ids in an answer, as for targets.
MOST_IDS = 1000
_RECORD = ("id", "name", "fun", "arg", "user", "made", "until", "jid", "is_closed", "counts")


def list_plans(called: Called) -> Answer:
    """Answer GET /plans: all visible plans, newest first."""
    plans = [shown(one) for one in command(called, "plan_list")["plans"]]
    return Answer({"items": plans[::-1], "next": None})


def make_plan(called: Called) -> Answer:
    """Answer POST /plans: start the test run from which the plan is made."""
    fields = checked(called.data, PLAN_FIELDS)
    name = fields.pop("name", "")
    order = {"client": "local_async", "fun": "state.apply", **fields}
    order["kwarg"] = {"test": True, **order.get("kwarg", {})}
    load = called.parts.orders.publication(called.parts.orders.check(order))
    del load["cmd"], load["user"]
    reply = published(command(called, "plan_save", **load, name=name))
    answer = {"id": reply["plan"], "jid": reply["jid"], "minions": reply["minions"]}
    return Answer(answer, 202, [("Location", f"/v1/plans/{reply['plan']}")])


def show_plan(called: Called) -> Answer:
    """Answer GET /plans/{id}: the plan, its minions, and the minions left out, with reasons."""
    record = command(called, "plan_record", plan=called.names["id"])["plan"]
    refused = dict(sorted(record["refused"].items())[:MOST_IDS])
    return Answer({"plan": shown(record), "minions": record["minions"][:MOST_IDS], "refused": refused})


def list_changes(called: Called) -> Answer:
    """Answer GET /plans/{id}/changes: each planned change once, with its minions."""
    after = called.query["after"]
    if after and not (after.isascii() and after.isdigit() and len(after) < 10):
        raise Refusal(400, "after must be `next` of the previous page")
    query = {**called.query, "after": int(after or 0)}
    reply = command(called, "plan_groups", plan=called.names["id"], **query)
    items = [
        {**group, "minions": group["minions"][:MOST_IDS], "count": len(group["minions"])}
        for group in reply["groups"]
    ]
    next = None if reply["next"] is None else str(reply["next"])
    return Answer({"items": items, "next": next, "total": reply["total"], "idle": reply["idle"][:MOST_IDS]})


def close_plan(called: Called) -> Answer:
    """Answer POST /plans/{id}:close: accept no more results, as if the test run had ended."""
    return _changed(called, "plan_close")


def approve_plan(called: Called) -> Answer:
    """Answer POST /plans/{id}:approve."""
    return _changed(called, "plan_approve")


def apply_plan(called: Called) -> Answer:
    """Answer POST /plans/{id}:apply: start a job that makes exactly the planned changes."""
    check_may_order(called)
    fields = {**dict.fromkeys(APPLY_FIELDS, False), **checked(called.data, APPLY_FIELDS)}
    reply = published(command(called, "plan_apply", plan=called.names["id"], **fields))
    answer = {"jid": reply["jid"], "minions": reply["minions"]}
    return Answer(answer, 202, [("Location", f"/v1/jobs/{reply['jid']}")])


def drop_plan(called: Called) -> Answer:
    """Answer DELETE /plans/{id}."""
    check_may_order(called)
    return Answer({"dropped": command(called, "plan_drop", plan=called.names["id"])["plan"]["id"]})


def shown(record: Mapping[str, Any]) -> dict[str, Any]:
    """Return a plan as /v1 shows it; `state` is testing, waiting, ready or applied."""
    return {
        **{name: record[name] for name in _RECORD},
        "minions": len(record["minions"]),
        "refused": len(record["refused"]),
        "approvals": record["approvals"],
        "applied": record["applied"],
        "state": _state(record),
    }


def published(reply: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the published job in a reply; raise Refusal if nothing was published."""
    load = reply.get("load")
    if not isinstance(load, Mapping) or not load.get("jid"):
        load = load if isinstance(load, Mapping) else {}
        error = str(load.get("error") or "the target matches no minion; GET /v1/targets/explain says why")
        raise Refusal(409 if load.get("locked") else 400, error)
    return load


def _state(record: Mapping[str, Any]) -> str:
    if not record["is_closed"]:
        return "testing"
    if record["applied"]:
        return "applied"
    maker = record["user"].removeprefix(SUDO)
    others = [one for one in record["approvals"] if one["user"].removeprefix(SUDO) != maker]
    return "ready" if others or not record["approval"] else "waiting"


def _changed(called: Called, cmd: str) -> Answer:
    check_may_order(called)
    return Answer(shown(command(called, cmd, plan=called.names["id"])["plan"]))

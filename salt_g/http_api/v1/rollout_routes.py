"""Routes of rollouts: jobs that reach their minions in waves."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from salt_g.client.rollout_rules import RolloutRules
from salt_g.http_api.api_services import Answer
from salt_g.http_api.messages import Refusal
from salt_g.http_api.v1.bodies import checked
from salt_g.http_api.v1.route import Called
from salt_g.http_api.v1.route_orders import check_may_order, command

#: Maximum number of ids in each list of an answer, as for targets.
MOST_IDS = 1000
#: Fields of a new rollout: those of a job, and its rules as in `client/rollout_rules.py`.
ROLLOUT_FIELDS: dict[str, tuple[tuple[type, ...], bool]] = {
    "tgt": ((str, list), True),
    "tgt_type": ((str,), False),
    "fun": ((str,), True),
    "arg": ((list,), False),
    "kwarg": ((dict,), False),
    "waves": ((list,), True),
    "checks": ((list,), False),
    "soak": ((int, float), False),
    "stop_at": ((str, int), False),
    "undo": ((bool,), False),
    "batch": ((str, int), False),
    "timeout": ((int, float), False),
}
_PLAIN = (
    *("jid", "function", "arguments", "target", "user", "state", "reached", "total", "untouched", "stopped"),
    *("undone", "started", "ended"),
)


def list_rollouts(called: Called) -> Answer:
    """Answer GET /rollouts: rollouts by page, newest first, without the minions of the waves."""
    found = sorted(command(called, "rollout_list")["rollouts"], key=lambda one: str(one["jid"]), reverse=True)
    after, limit = called.query["after"], called.query["limit"]
    later = [one for one in found if not after or str(one["jid"]) < after]
    items = [shown(one, most=0) for one in later[:limit]]
    last = items[-1]["jid"] if len(later) > limit else None
    return Answer({"items": items, "next": last, "total": len(found)})


def start_rollout(called: Called) -> Answer:
    """Answer POST /rollouts: begin the first wave of a job, or of a plan if `fun` is its id."""
    fields = checked(called.data, ROLLOUT_FIELDS)
    rules = {name: fields.pop(name) for name in RolloutRules._fields if name in fields}
    orders = called.parts.orders
    load = orders.publication(orders.check({"client": "local_async", **fields}))
    del load["cmd"], load["user"]
    jid = command(called, "rollout", **load, rules=rules)["jid"]
    return Answer({"jid": jid}, 202, [("Location", f"/v1/rollouts/{jid}")])


def show_rollout(called: Called) -> Answer:
    """Answer GET /rollouts/{jid}."""
    return Answer(shown(_status(called), most=MOST_IDS))


def pause_rollout(called: Called) -> Answer:
    """Answer POST /rollouts/{jid}:pause: start on no further minion for now."""
    return _ordered(called, "pause")


def resume_rollout(called: Called) -> Answer:
    """Answer POST /rollouts/{jid}:resume."""
    return _ordered(called, "resume")


def stop_rollout(called: Called) -> Answer:
    """Answer POST /rollouts/{jid}:stop: end the rollout before it reaches further minions."""
    return _ordered(called, "stop")


def shown(status: Mapping[str, Any], *, most: int) -> dict[str, Any]:
    """Return a rollout as /v1 shows it, with at most `most` minions of each wave."""
    return {
        **{name: status[name] for name in _PLAIN},
        "jid": str(status["jid"]),
        "away": status["away"][:MOST_IDS],
        "undo_failed": dict(sorted(status["undo_failed"].items())[:MOST_IDS]),
        "waves": [_wave(one, most) for one in status["waves"]],
    }


def _wave(wave: Mapping[str, Any], most: int) -> dict[str, Any]:
    failed = sorted(wave["failed"].items())
    return {
        **{"size": wave["size"], "state": wave["state"], "done": wave["done"], "count": len(wave["minions"])},
        **{"failures": len(failed), "minions": wave["minions"][:most], "failed": dict(failed[:most])},
    }


def _status(called: Called) -> Mapping[str, Any]:
    jid = called.names["jid"]
    found = command(called, "rollout_status", jid=jid)["rollout"]
    if not isinstance(found, Mapping):
        raise Refusal(404, f"there is no rollout {jid!r} that this user may see; GET /v1/rollouts lists them")
    return found


def _ordered(called: Called, order: str) -> Answer:
    check_may_order(called)
    jid = called.names["jid"]
    if not command(called, "rollout_order", jid=jid, order=order)["ordered"]:
        raise Refusal(409, f"rollout {jid!r} is {_status(called)['state']}: there is nothing to {order}")
    return show_rollout(called)

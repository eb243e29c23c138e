"""Routes of rollouts: jobs that reach their minions in waves."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from salt_g.http_api.api_services import Answer
from salt_g.http_api.messages import Refusal
from salt_g.http_api.v1.orders import runner
from salt_g.http_api.v1.route import Called

#: Most ids of a wave in an answer, as for targets.
MOST_IDS = 1000
_PLAIN = (
    *("jid", "function", "arguments", "target", "user", "state", "reached", "total", "untouched", "stopped"),
    *("undone", "started", "ended"),
)


def list_rollouts(called: Called) -> Answer:
    """Answer GET /rollouts: the newest first, without the minions of their waves."""
    found = sorted(runner(called, "rollout.list"), key=lambda one: str(one["jid"]), reverse=True)
    after, limit = called.query["after"], called.query["limit"]
    later = [one for one in found if not after or str(one["jid"]) < after]
    page = later[:limit]
    items = [shown(one, most=0) for one in page]
    last = items[-1]["jid"] if len(later) > limit else None
    return Answer({"items": items, "next": last, "total": len(found)})


def show_rollout(called: Called) -> Answer:
    """Answer GET /rollouts/{jid}."""
    jid = called.names["jid"]
    status = runner(called, "rollout.status", jid=jid)
    if not status:
        raise Refusal(404, f"there is no rollout {jid!r} that this user may see; GET /v1/rollouts lists them")
    return Answer(shown(status, most=MOST_IDS))


def pause_rollout(called: Called) -> Answer:
    """Answer POST /rollouts/{jid}:pause: begin no further wave."""
    return _changed(called, "rollout.pause")


def resume_rollout(called: Called) -> Answer:
    """Answer POST /rollouts/{jid}:resume."""
    return _changed(called, "rollout.resume")


def stop_rollout(called: Called) -> Answer:
    """Answer POST /rollouts/{jid}:stop: reach nobody further."""
    return _changed(called, "rollout.stop")


def shown(status: Mapping[str, Any], *, most: int) -> dict[str, Any]:
    """Return a rollout as /v1 shows it, with at most so many minions of each wave."""
    return {
        **{name: status[name] for name in _PLAIN},
        "jid": str(status["jid"]),
        "waves": [_wave(one, most) for one in status["waves"]],
    }


def _wave(wave: Mapping[str, Any], most: int) -> dict[str, Any]:
    failed = sorted(wave["failed"].items())
    return {
        **{"size": wave["size"], "state": wave["state"], "count": len(wave["minions"])},
        **{"failures": len(failed), "minions": wave["minions"][:most], "failed": dict(failed[:most])},
    }


def _changed(called: Called, fun: str) -> Answer:
    runner(called, fun, jid=called.names["jid"])
    return show_rollout(called)

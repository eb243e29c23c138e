"""Routes of minions and targets.

A user sees the minions on which the user may run some function. Their facts need the right to `grains.items`;
their last run needs the right to `state.apply`, unless the user started it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from salt_g.auth.sight import Sight
from salt_g.http_api.api_services import Answer
from salt_g.http_api.known.sights import sight_of
from salt_g.http_api.messages import Refusal
from salt_g.http_api.v1 import minion_query
from salt_g.http_api.v1.route import Called

Row = Mapping[str, Any]
#: Values shown to users who may not see a minion's facts, and to users who may not see its last run.
_NO_FACTS: dict[str, Any] = {
    **dict.fromkeys(("os", "os_version", "os_family", "kernel", "version")),
    "addresses": [],
}
_NO_RUN = {"last_run": None, "status": "none"}
#: Maximum number of ids in an answer about a target, and of ids that are explained.
MOST_IDS, MOST_EXPLAINED = 1000, 100


def list_minions(called: Called) -> Answer:
    """Answer GET /minions."""
    query = called.query
    minion_query.check_fields(query["fields"])
    rows = minion_query.filtered(_rows(called), query["filter"])
    if query["sort"] not in ("", "id"):
        rows = minion_query.arranged(rows, query["sort"])
    page, after = minion_query.paged(rows, query["sort"], query["after"], query["limit"], skip=query["skip"])
    items = [minion_query.shown(row, query["fields"]) for row in page]
    return Answer({"items": items, "next": after, "total": len(rows)})


def show_minion(called: Called) -> Answer:
    """Answer GET /minions/{id}: row and grains of a minion."""
    id = called.names["id"]
    row = next((row for row in _rows(called, id) if row["id"] == id), None)
    if row is None:
        raise Refusal(404, f"there is no minion {id!r} that this user may see; GET /v1/minions lists them")
    grains = called.ask("grains", id=id)["grains"]
    return Answer({"minion": minion_query.shown(row, ""), "grains": grains})


def summarize_minions(called: Called) -> Answer:
    """Answer GET /minions/summary: counts of minions by status and by facet."""
    return Answer(minion_query.summary(minion_query.filtered(_rows(called), called.query["filter"])))


def explain_target(called: Called) -> Answer:
    """Answer GET /targets/explain: the minions that match a target, and why."""
    query = called.query
    if not query["tgt"]:
        raise Refusal(400, "tgt is missing; give a target such as tgt=web*")
    tgt = query["tgt"].split(",") if query["tgt_type"] == "list" else query["tgt"]
    reply = called.ask("explain", tgt=tgt, tgt_type=query["tgt_type"], why=query["why"])
    ids, why = reply["ids"], reply["why"]
    first = sorted(why, key=lambda id: (not why[id]["matched"], id))[:MOST_EXPLAINED]
    return Answer(
        {
            "count": len(ids),
            "ids": ids[:MOST_IDS],
            "more": max(0, len(ids) - MOST_IDS),
            "why": {id: why[id] for id in first},
        }
    )


def _rows(called: Called, id: str = "") -> list[Row]:
    """Return the rows of all minions, or of one, without minions and fields that the user may not see."""
    rows = called.parts.fleet.rows()
    if id:
        rows = {id: rows[id]} if id in rows else {}
    sight = _sight(called)
    seen, facts, runs = sight.ids(), sight.ids("grains.items"), sight.ids("state.apply")
    if seen is None and facts is None and runs is None:
        return list(rows.values())
    return [
        _masked(row, sight, has_facts=facts is None or id in facts, has_runs=runs is None or id in runs)
        for id, row in rows.items()
        if seen is None or id in seen
    ]


def _masked(row: Row, sight: Sight, *, has_facts: bool, has_runs: bool) -> Row:
    run = row["last_run"]
    if run and not has_runs and not sight.may_see_job(run["user"], "state.apply", [], [row["id"]]):
        row = {**row, **_NO_RUN}
    return row if has_facts else {**row, **_NO_FACTS}


def _sight(called: Called) -> Sight:
    rights = called.parts.orders.ask({"cmd": "rights", "token": called.user.token}, called.request.source)
    if not isinstance(rights, dict) or "permissions" not in rights:
        raise Refusal(401, "this login is no longer valid")
    return sight_of(called.parts, rights, called.request.source)

"""Routes of locks and change freezes; freezes are settings, so they can only be listed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from salt_g.http_api.api_services import Answer
from salt_g.http_api.messages import Refusal
from salt_g.http_api.v1.bodies import checked
from salt_g.http_api.v1.route import Called
from salt_g.http_api.v1.route_orders import check_may_order, command

#: Fields of a new lock; `seconds` is its duration.
LOCK_FIELDS: dict[str, tuple[tuple[type, ...], bool]] = {
    "tgt": ((str, list), True),
    "tgt_type": ((str,), False),
    "reason": ((str,), True),
    "seconds": ((int, float), True),
}
_FREEZE = "freeze:"


def list_locks(called: Called) -> Answer:
    """Answer GET /locks: locks and freezes that have not ended, sorted by their end."""
    found = command(called, "lock_list")["locks"]
    return Answer({"items": [_shown(lock) for lock in found], "next": None})


def make_lock(called: Called) -> Answer:
    """Answer POST /locks."""
    check_may_order(called)
    fields = checked(called.data, LOCK_FIELDS)
    lock = command(called, "lock_add", **{"tgt_type": "glob", **fields})["lock"]
    return Answer(_shown(lock), 201, [("Location", f"/v1/locks/{lock['id']}")])


def drop_lock(called: Called) -> Answer:
    """Answer DELETE /locks/{id}."""
    check_may_order(called)
    id = called.names["id"]
    if id.startswith(_FREEZE):
        raise Refusal(409, f"{id} comes from the settings; remove it from change_freezes to end it")
    if not command(called, "lock_drop", ids=[id])["dropped"].get(id):
        raise Refusal(404, f"there is no lock {id!r}; GET /v1/locks lists them")
    return Answer({"dropped": id})


def _shown(lock: Mapping[str, Any]) -> dict[str, Any]:
    names = ("id", "target", "tgt_type", "owner", "reason", "since", "until")
    return {**{name: lock[name] for name in names}, "is_freeze": str(lock["id"]).startswith(_FREEZE)}

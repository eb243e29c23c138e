"""Routes of minions' keys and invitations."""

from __future__ import annotations

from typing import Any

from salt_g.http_api.api_services import Answer
from salt_g.http_api.messages import Refusal
from salt_g.http_api.v1.bodies import checked
from salt_g.http_api.v1.route import Called
from salt_g.http_api.v1.route_orders import wheel

#: States of keys, by their names in a key listing.
STATES = {
    "minions": "accepted",
    "minions_pre": "pending",
    "minions_rejected": "rejected",
    "minions_denied": "denied",
}
#: Fields of a new invitation.
INVITATION_FIELDS: dict[str, tuple[tuple[type, ...], bool]] = {
    "address": ((str,), False),
    "id": ((str,), False),
    "expires": ((int, float), False),
    "uses": ((int,), False),
}
#: Characters that would make a key's name match several keys.
_WILD = frozenset("*?[],")


def list_keys(called: Called) -> Answer:
    """Answer GET /keys: keys with fingerprints by page, sorted by id."""
    listing = wheel(called, "key.finger", match="*")
    keys = sorted(
        (id, state, str(finger))
        for name, state in STATES.items()
        for id, finger in (listing.get(name) or {}).items()
        if called.query["state"] in ("", state)
    )
    after, limit = called.query["after"], called.query["limit"]
    later = [one for one in keys if not after or f"{one[0]}/{one[1]}" > after]
    page = later[:limit]
    items = [{"id": id, "state": state, "fingerprint": finger} for id, state, finger in page]
    last = f"{page[-1][0]}/{page[-1][1]}" if len(later) > limit else None
    return Answer({"items": items, "next": last, "total": len(keys)})


def accept_key(called: Called) -> Answer:
    """Answer POST /keys/{id}:accept: accept a pending or rejected key."""
    return _changed(called, "key.accept", include_rejected=True)


def reject_key(called: Called) -> Answer:
    """Answer POST /keys/{id}:reject: reject a pending or accepted key."""
    return _changed(called, "key.reject", include_accepted=True)


def delete_key(called: Called) -> Answer:
    """Answer POST /keys/{id}:delete: delete all keys of the id."""
    id = _whole_id(called)
    wheel(called, "key.delete", match=id)
    return Answer({"id": id, "done": "delete"})


def list_invitations(called: Called) -> Answer:
    """Answer GET /invitations: all invitations, without their codes."""
    return Answer({"items": wheel(called, "key.invitations"), "next": None})


def make_invitation(called: Called) -> Answer:
    """Answer POST /invitations: create an invitation; its code is shown only once."""
    fields = checked(called.data, INVITATION_FIELDS)
    return Answer(wheel(called, "key.invite", **fields), 201)


def revoke_invitation(called: Called) -> Answer:
    """Answer DELETE /invitations/{number}."""
    number = called.names["number"]
    if not wheel(called, "key.revoke_invitation", number=number):
        raise Refusal(404, f"there is no invitation {number!r}; GET /v1/invitations lists them")
    return Answer({"revoked": number})


def _changed(called: Called, fun: str, **kwarg: Any) -> Answer:
    id = _whole_id(called)
    changed = wheel(called, fun, match=id, **kwarg)
    if not isinstance(changed, dict) or not any(changed.values()):
        raise Refusal(404, f"no key of {id!r} is in a suitable state; GET /v1/keys lists keys and states")
    return Answer({"id": id, "done": fun.removeprefix("key.")})


def _whole_id(called: Called) -> str:
    id = called.names["id"]
    if _WILD & set(id):
        raise Refusal(400, "a key must be named by its full id, without patterns")
    return id

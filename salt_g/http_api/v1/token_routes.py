"""Routes for the scoped tokens of the requesting user."""

from __future__ import annotations

from typing import Any

from salt_g.http_api.api_services import Answer
from salt_g.http_api.messages import Refusal
from salt_g.http_api.v1.bodies import checked
from salt_g.http_api.v1.route import Called

#: Fields of a new token; `expires` in seconds.
TOKEN_FIELDS: dict[str, tuple[tuple[type, ...], bool]] = {
    "name": ((str,), True),
    "allow": ((list,), True),
    "on": ((str,), False),
    "expires": ((int, float), False),
    "from": ((list,), False),
}


def list_tokens(called: Called) -> Answer:
    """Answer GET /tokens."""
    return Answer({"items": [_shown(one) for one in called.ask("tokens")["tokens"]], "next": None})


def make_token(called: Called) -> Answer:
    """Answer POST /tokens: create a token, which is shown only once."""
    fields = checked(called.data, TOKEN_FIELDS)
    more: dict[str, Any] = {"lifetime": fields["expires"]} if "expires" in fields else {}
    made = called.ask(
        "token_make",
        label=fields["name"],
        allow=fields["allow"],
        on=fields.get("on", "*"),
        cidr=fields.get("from", []),
        **more,
    )["made"]
    answer = {
        "name": made["label"],
        "limits": made["limits"],
        "from": made["cidr"],
        "expires": made["expire"],
    }
    return Answer({"token": made["token"], **answer}, 201)


def revoke_token(called: Called) -> Answer:
    """Answer DELETE /tokens/{id}."""
    id = called.names["id"]
    if not called.ask("token_revoke", id=id)["revoked"]:
        raise Refusal(404, f"there is no token {id!r}; GET /v1/tokens lists them")
    return Answer({"revoked": id})


def _shown(one: dict[str, Any]) -> dict[str, Any]:
    return {
        **{"id": one["id"], "name": one["label"], "limits": one["limits"], "from": one["cidr"]},
        **{"began": one["start"], "expires": one["expire"]},
    }

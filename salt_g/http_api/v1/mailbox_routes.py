"""Routes of the mailbox, which keeps jobs with `when_back` for minions that are away."""

from __future__ import annotations

from salt_g.http_api.api_services import Answer
from salt_g.http_api.messages import Refusal
from salt_g.http_api.v1.route import Called
from salt_g.http_api.v1.route_orders import check_may_order, command


def list_orders(called: Called) -> Answer:
    """Answer GET /mailbox: the orders that the user may drop, the oldest first."""
    after, limit = called.query["after"], called.query["limit"]
    found = sorted(command(called, "mailbox_list")["orders"], key=lambda order: str(order["order"]))
    later = [order for order in found if str(order["order"]) > after]
    page = later[:limit]
    last = page[-1]["order"] if len(later) > limit else None
    return Answer({"items": page, "next": last, "total": len(found)})


def drop_order(called: Called) -> Answer:
    """Answer DELETE /mailbox/{order}."""
    check_may_order(called)
    order = called.names["order"]
    number = command(called, "mailbox_drop", ids=[order])["dropped"].get(order)
    if not number:
        raise Refusal(404, f"there is no order {order!r} of this user; GET /v1/mailbox lists them")
    return Answer({"dropped": order, "minions": number})

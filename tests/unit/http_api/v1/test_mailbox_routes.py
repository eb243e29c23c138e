"""Routes of the mailbox."""

import pytest

from salt_g.http_api.messages import Refusal

ORDERS = [{"order": order, "user": "ann"} for order in ("3", "1", "2")]


def test_orders_come_by_page_the_oldest_first(call, master):
    master.answers["mailbox_list"] = {"orders": ORDERS}
    result = call("GET", "/mailbox", {"limit": "2"}).data
    assert [one["order"] for one in result["items"]] == ["1", "2"]
    assert (result["next"], result["total"]) == ("2", 3)
    result = call("GET", "/mailbox", {"after": "2"}).data
    assert ([one["order"] for one in result["items"]], result["next"]) == (["3"], None)


def test_an_order_is_dropped_and_an_unknown_one_is_not_there(call, master):
    master.answers["mailbox_drop"] = {"dropped": {"7": 2}}
    assert call("DELETE", "/mailbox/7").data == {"dropped": "7", "minions": 2}
    master.answers["mailbox_drop"] = {"dropped": {"7": 0}}
    with pytest.raises(Refusal) as refusal:
        call("DELETE", "/mailbox/7")
    assert refusal.value.status == 404


def test_an_api_that_starts_no_jobs_drops_none(call, make_parts, session, master, make_request):
    from salt_g.http_api.v1.mailbox_routes import drop_order
    from salt_g.http_api.v1.route import Called

    parts = make_parts(netapi_enable_clients=["runner"])
    with pytest.raises(Refusal, match="Client disabled"):
        drop_order(Called(parts, make_request("DELETE"), {"order": "7"}, {}, None, session[1]))
    assert "mailbox_drop" not in [load["cmd"] for load, _ in master.requests]

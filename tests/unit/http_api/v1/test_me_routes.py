"""Routes about the client and the API."""

import pytest

from salt_g.http_api.messages import Refusal


def test_users_see_their_rights_and_the_limits_of_their_token(call, master):
    told = call("GET", "/me").data
    assert (told["user"], told["token"], told["sees_all"]) == ("ann", None, True)

    limited = {"user": "ann", "permissions": [".*"], "limits": ["test.*"], "label": "ci"}
    master.answers["rights"] = limited
    told = call("GET", "/me").data
    assert (told["token"], told["sees_all"]) == ({"name": "ci", "limits": ["test.*"]}, False)

    master.answers["rights"] = {}
    with pytest.raises(Refusal) as refusal:
        call("GET", "/me")
    assert refusal.value.status == 401


def test_health_depends_on_the_master(call, master):
    assert call("GET", "/health").data["status"] == "ok"
    master.is_connected = False
    with pytest.raises(Refusal) as refusal:
        call("GET", "/health")
    assert refusal.value.status == 503


def test_metrics_are_text_for_prometheus(call):
    response = call("GET", "/metrics")
    assert b"salt_g_api_master 1" in response.body
    assert dict(response.headers)["Content-Type"].startswith("text/plain")

"""Routes about the client and the API."""

import pytest

from salt_g.http_api.messages import Refusal
from salt_g.http_api.v1.route import Called
from salt_g.http_api.v1.table import ROUTES


def test_users_see_their_rights_and_the_limits_of_their_token(call, master):
    result = call("GET", "/me").data
    assert (result["user"], result["token"], result["sees_all"]) == ("ann", None, True)

    limited = {"user": "ann", "permissions": [".*"], "limits": ["test.*"], "label": "ci"}
    master.answers["rights"] = limited
    result = call("GET", "/me").data
    assert (result["token"], result["sees_all"]) == ({"name": "ci", "limits": ["test.*"]}, False)

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


def test_a_login_page_learns_which_modules_there_are(make_parts, make_request):
    parts = make_parts(external_auth={"pam": {"ann": [".*"]}, "ldap": {}})
    [route] = [route for route in ROUTES if route.path == "/logins"]

    called = Called(parts, make_request(), {}, {}, None, None)

    assert route.is_open
    assert route.handler(called).data == {"eauth": ["pam", "ldap"]}


def test_metrics_are_text_for_prometheus(call):
    response = call("GET", "/metrics")
    assert b"salt_g_api_master 1" in response.body
    assert dict(response.headers)["Content-Type"].startswith("text/plain")

"""Orders of /v1."""

import pytest

from salt_g.http_api.messages import Refusal
from salt_g.http_api.v1.route import Called
from salt_g.http_api.v1.route_orders import wheel


def test_a_wheel_function_that_failed_is_refused(parts, session, make_request, master):
    called = Called(parts, make_request(), {}, {}, None, session[1])
    master.answers["wheel"] = {"tag": "t", "data": {"return": {"minions": []}, "success": True}}
    assert wheel(called, "key.list_all") == {"minions": []}
    master.answers["wheel"] = {"tag": "t", "data": {"return": "it broke", "success": False}}
    with pytest.raises(Refusal, match="it broke"):
        wheel(called, "key.list_all")

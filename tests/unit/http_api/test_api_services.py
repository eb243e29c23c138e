"""Services shared by routes."""

import pytest


def test_an_order_of_a_session_carries_the_masters_token(routed_request, session):
    client = routed_request().client

    assert client.proof == {"token": session[1].token}
    assert client.source == "192.0.2.7"


def test_a_route_without_a_session_has_no_user(routed_request):
    with pytest.raises(AssertionError):
        _ = routed_request(has_session=False).user

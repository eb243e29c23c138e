"""Requests caused by pages of other hosts."""

import pytest

from salt_g.http_api.messages import Refusal
from salt_g.http_api.origins import check, headers, may_fire, preflight

OURS, FRIEND, OTHER = "https://api.example.org", "https://friend.example.org", "https://evil.example"
TRUSTED = frozenset((FRIEND,))


@pytest.mark.parametrize(
    ("sent", "is_allowed"),
    [
        ({}, True),
        ({"origin": OURS}, True),
        ({"origin": FRIEND}, True),
        ({"origin": OTHER}, False),
        ({"origin": "null"}, False),
        ({"sec-fetch-site": "same-origin"}, True),
        ({"sec-fetch-site": "none"}, True),
        ({"sec-fetch-site": "same-site"}, False),
        ({"sec-fetch-site": "cross-site"}, False),
    ],
)
def test_an_order_by_cookie_comes_from_our_page_or_a_trusted_one(make_request, sent, is_allowed):
    request = make_request(headers={"host": "api.example.org", **sent})

    if is_allowed:
        check(request, TRUSTED)
    else:
        with pytest.raises(Refusal) as refusal:
            check(request, TRUSTED)
        assert refusal.value.status == 403


@pytest.mark.parametrize(
    ("host", "origin", "is_allowed"),
    [
        ("127.0.0.1:8000", "http://127.0.0.1:8000", True),
        ("localhost:8000", "http://localhost:8000", True),
        ("[::1]:8000", "http://[::1]:8000", True),
        ("api.example.org", "https://api.example.org", True),
        ("api.example.org", "", True),
        # An attacker's name that resolves to this host for a moment.
        ("evil.example:8000", "http://evil.example:8000", False),
        ("friend.example.org", "http://friend.example.org", True),
        ("api.example.org", OTHER, False),
    ],
)
def test_a_page_that_has_a_name_without_encryption_is_not_ours(make_request, host, origin, is_allowed):
    request = make_request(headers={"host": host, "origin": origin})

    assert may_fire(request, {"http://friend.example.org"}) == is_allowed


def test_a_trusted_page_may_read_answers_and_no_other(make_request):
    assert ("Access-Control-Allow-Origin", FRIEND) in headers(
        make_request(headers={"origin": FRIEND}), TRUSTED
    )
    assert headers(make_request(headers={"origin": OTHER}), TRUSTED) == [("Vary", "Origin")]
    assert headers(make_request(headers={"origin": OTHER}), frozenset()) == []


@pytest.mark.parametrize(("origin", "status"), [(FRIEND, 204), (OTHER, 403)])
def test_a_browser_that_asks_first_gets_an_answer(make_request, origin, status):
    sent = {"origin": origin, "access-control-request-method": "POST"}

    assert preflight(make_request("OPTIONS", headers=sent), TRUSTED).status == status
    assert preflight(make_request("POST", headers=sent), TRUSTED) is None

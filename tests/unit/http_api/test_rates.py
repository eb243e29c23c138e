"""Limits of requests per client."""

import pytest

from salt_g.http_api.messages import Refusal
from salt_g.http_api.rates import BURST, PER_SECOND, Rates, Shares


def test_requests_of_a_client_are_limited_and_replenished_with_time():
    now = [0.0]
    rates = Rates(clock=lambda: now[0])

    for _ in range(int(BURST)):
        rates.take("a")
    with pytest.raises(Refusal) as refusal:
        rates.take("a")
    rates.take("b")
    now[0] += 2 / PER_SECOND
    rates.take("a")

    assert refusal.value.status == 429
    assert refusal.value.headers == [("Retry-After", "1")]


def test_a_user_and_all_users_have_shares():
    shares = Shares(1, 2, "things")

    with shares.one("a"):
        with pytest.raises(Refusal, match="this user or address already has 1 things"), shares.one("a"):
            pass
        with shares.one("b"), pytest.raises(Refusal) as full, shares.one("c"):
            pass
    with shares.one("a"):
        assert len(shares) == 1

    assert full.value.status == 503

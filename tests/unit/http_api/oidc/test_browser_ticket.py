"""Tickets of browsers during a login at a provider."""

import base64
import hashlib

from salt_g.http_api.oidc.browser_ticket import LIFETIME, Tickets
from tests.support.clocks import Clock


def test_a_browser_that_comes_back_has_the_secrets_of_its_login_once():
    tickets = Tickets()
    ticket = tickets.make()

    assert tickets.take(ticket.cookie, ticket.state) == ticket
    assert tickets.take(ticket.cookie, ticket.state) is None


def test_each_login_has_secrets_of_its_own():
    tickets = Tickets()
    made = [tickets.make() for _ in range(10)]

    assert len({word for ticket in made for word in ticket}) == 40
    digest = hashlib.sha256(made[0].verifier.encode()).digest()
    assert made[0].challenge == base64.urlsafe_b64encode(digest).rstrip(b"=").decode()
    assert 43 <= len(made[0].verifier) <= 128


def test_another_browser_and_another_server_are_refused():
    tickets = Tickets()
    one, other = tickets.make(), tickets.make()

    for cookie, state in [
        (other.cookie, one.state),
        (one.cookie, ""),
        ("", one.state),
        ("x.y.z", one.state),
        ("é", "é"),
        (one.cookie + "x", one.state),
        ("9" + one.cookie, one.state),
    ]:
        assert tickets.take(cookie, state) is None, cookie
    assert Tickets().take(one.cookie, one.state) is None
    assert tickets.take(one.cookie, one.state) == one


def test_a_login_that_took_too_long_is_refused():
    clock = Clock(1_000_000.0)
    tickets = Tickets(clock=clock)
    ticket = tickets.make()

    clock.now += LIFETIME + 1
    assert tickets.take(ticket.cookie, ticket.state) is None


def test_logins_that_began_cost_no_memory():
    tickets = Tickets()
    size = len(vars(tickets))
    for _ in range(1000):
        tickets.make()

    assert len(vars(tickets)) == size
    assert not tickets._used

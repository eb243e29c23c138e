"""Logins."""

import contextlib

import pytest

from salt_g.http_api.api_services import LOGINS, ORDERS_WITH_LOGIN
from salt_g.http_api.login_routes import login, logout, make_token
from salt_g.http_api.messages import Refusal
from salt_g.http_api.order_routes import run_orders, run_with_login

LOGIN = {"username": "ann", "password": "p", "eauth": "pam"}


def test_a_login_makes_a_session(parts, routed_request, master):
    answer = login(parts, routed_request([LOGIN]))

    [shown] = answer.data["return"]
    assert (shown["user"], shown["eauth"], shown["perms"]) == ("ann", "pam", [".*", "@wheel"])
    assert parts.sessions.get(shown["token"]).token == master.answers["mk_token"]["token"]
    assert dict(answer.headers)["Set-Cookie"].endswith("; HttpOnly; SameSite=Strict")
    assert master.requests[0] == ({"cmd": "mk_token", **LOGIN}, "192.0.2.7")


def test_the_permissions_of_a_user_without_any_are_an_empty_map(parts, routed_request, master):
    master.answers["rights"] = {}

    [shown] = login(parts, routed_request(LOGIN)).data["return"]

    assert shown["perms"] == {}


def test_of_several_logins_the_first_one_counts(parts, routed_request, master):
    assert login(parts, routed_request([LOGIN, {}])).status == 200
    with pytest.raises(Refusal) as refusal:
        login(parts, routed_request([]))
    assert refusal.value.status == 400


def test_a_login_that_fails_is_refused(parts, routed_request, master):
    master.answers["mk_token"] = ""

    for data in (LOGIN, {}):
        with pytest.raises(Refusal) as refusal:
            login(parts, routed_request(data))
        assert refusal.value.status == 401
    with pytest.raises(Refusal) as refusal:
        login(parts, routed_request("text"))
    assert refusal.value.status == 400


@pytest.mark.parametrize(
    ("users", "is_allowed"),
    [
        ({}, True),
        ({"ann": ["192.0.2.0/24"]}, True),
        ({"*": "192.0.2.7"}, True),
        ({"ann": ["*"]}, True),
        ({"ann": ["198.51.100.1"], "*": ["*"]}, False),
        ({"bob": ["*"]}, False),
        ({"ANN": ["198.51.100.1"], "*": ["*"]}, False),
    ],
)
def test_users_may_be_bound_to_addresses(make_parts, routed_request, users, is_allowed):
    parts = make_parts(api_acl={"users": users})

    if is_allowed:
        assert login(parts, routed_request(LOGIN)).status == 200
    else:
        with pytest.raises(Refusal):
            login(parts, routed_request(LOGIN))


def test_a_logout_ends_the_session_and_the_masters_token(parts, routed_request, session, master):
    logout(parts, routed_request())

    assert parts.sessions.get(session[0]) is None
    assert master.requests[-1][0] == {"cmd": "end_token", "token": session[1].token}


def test_tokens_are_a_bare_list(parts, routed_request, master):
    answer = make_token(parts, routed_request([LOGIN]))

    assert [sorted(one) for one in answer.data] == [["eauth", "expire", "name", "start", "token"]]
    with pytest.raises(Refusal) as refusal:
        make_token(parts, routed_request([{"username": "ann"}]))
    assert refusal.value.status == 400


def test_logins_that_wait_hold_up_logins_only(parts, routed_request, master):
    order = {"client": "wheel", "fun": "key.list_all"}
    master.answers["wheel"] = {"tag": "salt/wheel/1", "data": {"return": 1}}
    refused = []

    with contextlib.ExitStack() as waiting:
        for number in range(LOGINS):
            waiting.enter_context(parts.login_shares.one(f"198.51.100.{number}"))
        for number in range(ORDERS_WITH_LOGIN):
            waiting.enter_context(parts.run_shares.one(f"198.51.100.{number}"))
        for route, data in ((login, LOGIN), (make_token, LOGIN), (run_with_login, {**order, **LOGIN})):
            with pytest.raises(Refusal) as refusal:
                route(parts, routed_request(data))
            refused.append(refusal.value.status)
        assert run_orders(parts, routed_request(order)).status == 200

    assert refused == [503] * 3
    assert login(parts, routed_request(LOGIN)).status == 200

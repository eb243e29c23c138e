"""Orders of users."""

import pytest

from salt_g.errors import MasterUnreachable
from salt_g.http_api.messages import Refusal
from salt_g.http_api.orders import OrderClient, proof_of

TOKEN = "ab" * 32


@pytest.mark.parametrize(
    ("order", "text"),
    [
        ("x", "must be maps"),
        ({"client": "nope"}, "Invalid client"),
        ({"client": ["local"]}, "Invalid client"),
        ({"client": "local_batch", "fun": "x", "tgt": "*"}, "Client disabled"),
        ({"client": "ssh", "fun": "x", "tgt": "*"}, "Client disabled"),
        ({"client": "local", "fun": "x"}, "needs tgt"),
        ({"client": "runner"}, "needs fun"),
        ({"client": "runner", "fun": "x", "kwarg": 5}, "kwarg"),
        *(
            ({"client": "local", "tgt": "*", "fun": "x", name: value}, name)
            for name, value in (
                *(("kwarg", "x"), ("ret", ["x"]), ("tgt_type", 1), ("tgt", {"a": 1}), ("fun", 5)),
                *(("timeout", "abc"), ("sub", -1), ("batch_wait", float("nan")), ("timeout", [1])),
            )
        ),
    ],
)
def test_an_invalid_order_is_refused(parts, order, text):
    with pytest.raises(Refusal, match=text) as refusal:
        parts.orders.check(order)

    assert refusal.value.status == 400


@pytest.mark.parametrize("tgt", ["", []])
def test_an_order_for_an_empty_target_is_one(parts, tgt):
    order = {"client": "local", "tgt": tgt, "fun": "test.ping"}

    assert parts.orders.check(order) == order


def test_a_job_is_published_with_the_login_and_nothing_of_the_masters_own(parts, master):
    master.answers["publish"] = {"load": {"jid": "20261120000000000001", "minions": ["m1"]}}
    order = {"client": "local_async", "tgt": "*", "fun": "test.ping", "arg": "x", "key": "k", "user": "root"}

    results = parts.orders.run(parts.orders.check(order), OrderClient({"token": TOKEN}, "192.0.2.7"))

    assert results == [{"jid": "20261120000000000001", "minions": ["m1"]}]
    [(load, source)] = master.requests
    assert source == "192.0.2.7"
    assert load["arg"] == ["x"]
    assert load["kwargs"] == {"token": TOKEN}
    assert "key" not in load
    assert load["user"] == ""


def test_a_wheel_function_is_called_with_its_keywords(parts, master):
    master.answers["wheel"] = {"tag": "salt/wheel/1", "data": {"return": {}}}
    order = {"client": "wheel", "fun": "key.finger", "match": "m1"}

    assert parts.orders.run(order, OrderClient({"token": TOKEN}, "::1")) == [master.answers["wheel"]]
    assert master.requests[0][0]["kwarg"] == {"match": "m1"}
    assert master.requests[0][0]["token"] == TOKEN


def _unreachable(load):
    raise MasterUnreachable("late")


@pytest.mark.parametrize(
    ("answer", "is_connected", "status"),
    [
        ({"error": {"name": "AuthorizationError", "message": "no"}}, True, 401),
        ({"error": {"name": "TokenAuthenticationError", "message": "no"}}, True, 401),
        ({"error": "the jid is in use"}, True, 500),
        (_unreachable, True, 504),
        (_unreachable, False, 503),
    ],
)
def test_the_status_of_a_failure_shows_its_cause(parts, master, answer, is_connected, status):
    master.answers["runner"] = answer
    master.is_connected = is_connected

    with pytest.raises(Refusal) as refusal:
        parts.orders.run({"client": "runner", "fun": "manage.up"}, OrderClient({"token": TOKEN}, "::1"))

    assert refusal.value.status == status


def test_a_target_that_the_master_cannot_read_is_a_wrong_request(parts, master):
    master.answers["publish"] = {"load": {"error": "target type 'x' does not exist", "malformed": True}}
    order = {"client": "local_async", "tgt": "*", "tgt_type": "x", "fun": "test.ping", "arg": []}

    with pytest.raises(Refusal, match="does not exist") as refusal:
        parts.orders.run(order, OrderClient({"token": TOKEN}, "::1"))

    assert refusal.value.status == 400


def test_a_runner_that_failed_is_refused_with_its_text(parts, master):
    def run(load):
        parts.bus.fire("salt/run/1/ret", {"return": "no such runner", "success": False, "retcode": 254})
        return {"tag": "salt/run/1", "jid": "1"}

    master.answers["runner"] = run

    with pytest.raises(Refusal, match="no such runner") as refusal:
        parts.orders.run({"client": "runner", "fun": "x.y"}, OrderClient({"token": TOKEN}, "::1"))

    assert refusal.value.status == 500


@pytest.mark.parametrize(
    ("order", "proof"),
    [
        ({"token": TOKEN, "fun": "x"}, {"token": TOKEN}),
        (
            {"username": "a", "password": "p", "eauth": "pam", "fun": "x"},
            {"username": "a", "password": "p", "eauth": "pam"},
        ),
        ({"token": "xyz"}, None),
        ({"token": 7}, None),
        ({"username": "a", "password": "p"}, None),
        ({}, None),
    ],
)
def test_an_order_proves_its_user_by_a_token_or_a_login(order, proof):
    if proof is not None:
        assert proof_of(order) == proof
        return
    with pytest.raises(Refusal) as refusal:
        proof_of(order)
    assert refusal.value.status == 401


def test_fields_of_a_call_are_its_own_and_numbers_may_be_text(parts):
    for order in (
        {"client": "runner", "fun": "x", "ret": ["x"], "timeout": "soon", "kwarg": None},
        {"client": "local", "tgt": ["m1"], "fun": ["a.b"], "timeout": "5", "gather_job_timeout": None},
    ):
        assert parts.orders.check(order) == order

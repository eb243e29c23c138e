"""Routes of orders."""

import io
import tarfile

import pytest

from salt_g.http_api.messages import Refusal
from salt_g.http_api.order_routes import make_key, run_orders, run_with_login, show_keys, start_jobs

PUBLISHED = {"load": {"jid": "20261120000000000001", "minions": ["m1"]}}
LOGIN = {"username": "ann", "password": "p", "eauth": "pam"}


@pytest.fixture
def wheel(master):
    """Return a function that sets the result of wheel functions."""

    def returns(value):
        master.answers["wheel"] = {"tag": "salt/wheel/1", "data": {"return": value}}

    return returns


def test_all_orders_are_checked_before_one_runs(parts, routed_request, master):
    with pytest.raises(Refusal):
        run_orders(
            parts, routed_request([{"client": "local_async", "tgt": "*", "fun": "x"}, {"client": "nope"}])
        )

    assert master.requests == []


@pytest.mark.parametrize("data", [None, "text", 7])
def test_orders_are_a_list_or_a_map(parts, routed_request, data):
    with pytest.raises(Refusal, match="Lowstates must be a list"):
        run_orders(parts, routed_request(data))


def test_started_jobs_are_linked(parts, routed_request, master):
    master.answers["publish"] = PUBLISHED

    answer = start_jobs(parts, routed_request([{"tgt": "*", "fun": "test.ping", "client": "runner"}]))

    assert answer.status == 202
    assert answer.data["_links"] == {"jobs": [{"href": "/jobs/20261120000000000001"}]}


def test_each_order_of_run_has_its_own_login(parts, routed_request, master):
    master.answers["publish"] = PUBLISHED
    order = {"client": "local_async", "tgt": "*", "fun": "test.ping"}

    run_with_login(parts, routed_request([{**order, **LOGIN}], has_session=False))

    assert master.requests[0][0]["kwargs"] == LOGIN


@pytest.mark.parametrize("route", [run_with_login, make_key])
def test_a_login_in_an_order_is_bound_to_addresses_too(make_parts, routed_request, master, route):
    parts = make_parts(api_acl={"users": {"ann": ["198.51.100.1"]}})
    order = {"client": "local_async", "tgt": "*", "fun": "test.ping", "mid": "m9", **LOGIN}

    with pytest.raises(Refusal) as refusal:
        route(parts, routed_request(order, has_session=False))

    assert refusal.value.status == 401
    assert master.requests == []


def test_keys_are_unwrapped(parts, routed_request, wheel):
    wheel({"minions": ["m1"]})

    assert show_keys(parts, routed_request()).data == {"return": {"minions": ["m1"]}}


def test_a_new_key_is_an_archive(parts, routed_request, wheel):
    wheel({"pub": "public", "priv": "private"})

    answer = make_key(parts, routed_request({"mid": "a/b", **LOGIN}))

    assert ("Content-Disposition", 'attachment; filename="saltkeys-a_b.tar"') in answer.headers
    with tarfile.open(fileobj=io.BytesIO(answer.body)) as archive:
        assert archive.extractfile("minion.pem").read() == b"private"


@pytest.mark.parametrize(
    ("data", "status"),
    [
        ({"mid": "m1", **LOGIN}, 409),
        ({"mid": "m1"}, 401),
        (LOGIN, 400),
        ({"mid": "m1", "keysize": "x", **LOGIN}, 400),
        ("text", 400),
    ],
)
def test_a_key_that_cannot_be_made_is_refused(parts, routed_request, wheel, data, status):
    wheel({"pub": "", "priv": ""})

    with pytest.raises(Refusal) as refusal:
        make_key(parts, routed_request(data))

    assert refusal.value.status == status

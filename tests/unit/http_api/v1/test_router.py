"""Path of a request below /v1."""

import json

import pytest

from salt_g.http_api.api_services import Answer
from salt_g.http_api.messages import Refusal
from salt_g.http_api.v1.route import V1Route
from salt_g.http_api.v1.router import Router, is_below, problem


@pytest.fixture
def router(parts):
    def refuse(called):
        raise Refusal(401, "no")

    body = {"type": "object"}
    return Router(
        parts,
        [
            V1Route("GET", "/a", lambda called: Answer(called.user.user), "", answer={}, right=""),
            V1Route("POST", "/a", lambda called: Answer(called.data), "", answer={}, right="", body=body),
            V1Route("GET", "/b", lambda called: Answer("b"), "", answer={}, right="", is_open=True),
            V1Route("GET", "/n/{id}", lambda called: Answer(called.names), "", answer={}, right=""),
            V1Route("POST", "/n/{id}:go", lambda called: Answer(called.names), "", answer={}, right=""),
            V1Route("GET", "/c", refuse, "", answer={}, right=""),
        ],
    )


@pytest.fixture
def send(router, make_request, session):
    def run(method, path, **more):
        headers = {"x-auth-token": session[0], **more.pop("headers", {})}
        response = router.answer(make_request(method, path, headers=headers, **more), path)
        return json.loads(response.body)

    return run


def refused(send, *args, **kwargs):
    with pytest.raises(Refusal) as refusal:
        send(*args, **kwargs)
    return refusal.value.status


def test_requests_find_their_route(send):
    assert send("GET", "/v1/a") == send("HEAD", "/v1/a/") == "ann"
    assert send("GET", "/v1/b") == "b"
    assert send("GET", "/v1/openapi.json")["openapi"] == "3.1.0"
    assert refused(send, "GET", "/v1/x") == 404
    assert refused(send, "DELETE", "/v1/a") == 405
    assert refused(send, "POST", "/v1/openapi.json") == 405


def test_a_parameter_stands_once(send):
    assert refused(send, "GET", "/v1/a", target="/v1/a?token=1&token=2") == 400
    assert refused(send, "GET", "/v1/a", target="/v1/a?token=&token=") == 400
    assert send("GET", "/v1/a", target="/v1/a?token=1&x=1") == "ann"


def test_an_action_is_no_part_of_a_name(send):
    assert send("POST", "/v1/n/a:b:go") == {"id": "a:b"}
    assert send("GET", "/v1/n/a:b") == {"id": "a:b"}
    with pytest.raises(Refusal) as refusal:
        send("GET", "/v1/n/a:go")
    assert (refusal.value.status, refusal.value.headers) == (405, [("Allow", "POST")])


def test_bodies_are_json(send):
    headers = {"content-type": "application/json; charset=utf-8"}
    assert send("POST", "/v1/a", headers=headers, body=b'{"x": 1}') == {"x": 1}
    assert refused(send, "POST", "/v1/a", headers=headers, body=b"{") == 400
    assert refused(send, "POST", "/v1/a", body=b"x=1") == 415
    # What two readers may take for two things.
    for body in (b'{"x": 1, "x": 2}', b'[{"x": {"y": 1, "y": 1}}]', b"[NaN]", b"[-Infinity]", b"[1e999]"):
        assert refused(send, "POST", "/v1/a", headers=headers, body=body) == 400
    assert send("POST", "/v1/a", headers=headers, body=b"[1.5e3, -2]") == [1500.0, -2]
    for charset in ("utf-16", "nope"):
        headers = {"content-type": f"application/json; charset={charset}"}
        assert refused(send, "POST", "/v1/a", headers=headers, body='{"x": 1}'.encode("utf-16")) == 415
    assert refused(send, "POST", "/v1/a", headers={"content-type": "application/json"}, body=b"\xff") == 400


@pytest.mark.parametrize("accept", ["", "*/*", "application/*", "text/html, */*;q=0.1"])
def test_clients_that_read_json_are_answered(send, accept):
    assert send("GET", "/v1/a", headers={"accept": accept}) == "ann"


@pytest.mark.parametrize("accept", ["text/html", "application/xml", "application/json;q=0"])
def test_clients_that_do_not_are_refused(send, accept):
    assert refused(send, "GET", "/v1/a", headers={"accept": accept}) == 406


def test_a_session_a_token_of_the_master_or_a_cookie_is_a_login(send, session, master):
    assert refused(send, "GET", "/v1/a", headers={"x-auth-token": "0" * 40}) == 401
    cookie = {"x-auth-token": "", "cookie": f"session_id={session[0]}"}
    assert send("GET", "/v1/a", headers=cookie) == "ann"
    foreign = {**cookie, "origin": "https://evil.example", "content-type": "application/json"}
    assert refused(send, "POST", "/v1/a", headers=foreign, body=b"{}") == 403
    master.answers["get_token"] = {"name": "ci", "eauth": "pam", "start": 1, "expire": 4e9}
    bearer = {"x-auth-token": "", "authorization": f"Bearer {'ab' * 32}"}
    assert send("GET", "/v1/a", headers=bearer) == "ci"


def test_a_missing_right_is_distinguished_from_a_login_that_is_over(send, master):
    assert refused(send, "GET", "/v1/c") == 403
    master.answers["rights"] = {}
    assert refused(send, "GET", "/v1/c") == 401


def test_a_refusal_says_what_is_wrong_and_what_to_do():
    result = json.loads(problem(Refusal(400, "limit is wrong; use 5")).body)
    assert result == {"status": 400, "title": "Bad Request", "detail": "limit is wrong", "hint": "use 5"}
    assert json.loads(problem(Refusal(403, "no")).body)["hint"]


def test_only_paths_of_v1_are_taken():
    assert is_below("/v1")
    assert is_below("/v1/x")
    assert not is_below("/v10")

"""Path of a request through the routes."""

import json

import pytest

from salt_g.http_api.routes import Routes, shown_path


@pytest.fixture
def answer(make_parts, make_request, master):
    """Return a function that returns the response to a request.

    `rest` and `settings` configure the API.
    """

    def get(method, path, rest=None, is_logged_in=False, settings=None, **more):
        parts = make_parts(rest, **(settings or {}))
        headers = dict(more.pop("headers", {}))
        if is_logged_in:
            headers["x-auth-token"] = parts.sessions.make(master.answers["mk_token"])[0]
        return Routes(parts).answer(make_request(method, path, headers=headers, **more))

    return get


@pytest.mark.parametrize(
    ("method", "path", "is_logged_in", "status"),
    [
        ("GET", "/", False, 200),
        ("HEAD", "/", False, 200),
        ("GET", "/login/", False, 200),
        ("POST", "/", False, 401),
        ("POST", "/", True, 400),
        ("GET", "/minions", False, 401),
        ("GET", "/stats", True, 200),
        ("GET", "/events", False, 401),
        ("GET", "/ws/x", False, 401),
        ("PUT", "/", True, 405),
        ("GET", "/hook", True, 405),
        ("GET", "/hook", False, 401),
        ("OPTIONS", "/", True, 405),
        ("GET", "/none", True, 404),
        ("GET", "/stats/x", True, 404),
        ("GET", "/minions/m1/x", True, 404),
        ("GET", "/keys/m1/x", True, 404),
    ],
)
def test_routes_and_methods(answer, method, path, is_logged_in, status):
    assert answer(method, path, is_logged_in=is_logged_in).status == status


def test_a_refusal_is_answered_in_json(answer):
    refused = answer("GET", "/minions", headers={"accept": "text/html"})

    assert json.loads(refused.body)["status"] == 401
    assert ("WWW-Authenticate", "Session") in refused.headers


def test_nothing_is_done_for_an_answer_that_cannot_be_sent(answer, master):
    sent = {"accept": "text/csv", "content-type": "application/json"}
    body = json.dumps({"client": "wheel", "fun": "key.delete", "match": "*"}).encode()

    assert answer("POST", "/", is_logged_in=True, headers=sent, body=body).status == 406
    assert answer("POST", "/hook", is_logged_in=True, headers=sent, body=b"{}").status == 406
    assert (master.requests, master.fired) == ([], [])


def test_an_unexpected_error_reveals_no_details(answer, master):
    def fail(load):
        raise RuntimeError("inner words")

    master.answers["mk_token"] = fail

    refused = answer("POST", "/login", body=b"username=a&password=b&eauth=c")

    assert refused.status == 500
    assert b"inner words" not in refused.body


@pytest.mark.parametrize("path", ["/salt", "/salt/", "/salt/login"])
def test_a_prefix_comes_before_all_routes(answer, path):
    rest = {"root_prefix": "/salt"}

    assert answer("GET", path, rest).status == 200
    assert answer("GET", "/login", rest).status == 404


def test_addresses_can_be_chosen(answer):
    assert answer("GET", "/", {"authorized_ips": ["192.0.2.7"]}).status == 200
    assert answer("GET", "/", {"authorized_ips": ["192.0.2.8"]}).status == 403


def test_a_page_is_served_to_browsers_and_data_to_programs(answer, tmp_path):
    (tmp_path / "index.html").write_text("<html>")
    rest = {"app": str(tmp_path / "index.html"), "static": str(tmp_path)}

    assert answer("GET", "/app", rest).body == b"<html>"
    assert answer("GET", "/minions", rest, headers={"accept": "text/html,*/*;q=0.8"}).body == b"<html>"
    assert answer("GET", "/minions", rest, headers={"accept": "application/json"}).status == 401
    assert answer("GET", "/static/index.html", rest).body == b"<html>"
    assert answer("GET", "/static/none", rest).status == 404


BROWSER = {"accept": "text/html,application/xhtml+xml,*/*;q=0.8"}


def test_our_own_page_is_for_browsers_at_the_top(answer):
    page = answer("GET", "/", headers=BROWSER)

    assert page.body.startswith(b"<!doctype html>")
    assert json.loads(answer("GET", "/").body)["return"] == "Welcome"
    assert answer("GET", "/minions", headers=BROWSER).status == 401
    assert answer("GET", "/page/0123456789ab/main.js").status == 404


def test_our_own_page_is_switched_off_or_gives_way_to_another(answer, tmp_path):
    (tmp_path / "index.html").write_text("<html>")
    rest = {"app": str(tmp_path / "index.html")}

    assert answer("GET", "/", rest, headers=BROWSER).body == b"<html>"
    off = answer("GET", "/", settings={"api_page": False}, headers=BROWSER)
    assert json.loads(off.body)["return"] == "Welcome"


def test_a_token_in_an_url_needs_a_setting(make_parts, make_request, master):
    for is_allowed, status in ((False, 401), (True, 400)):
        parts = make_parts(api_token_in_url=is_allowed)
        token = parts.sessions.make(master.answers["mk_token"])[0]
        assert Routes(parts).answer(make_request("GET", f"/ws/{token}")).status == status


def test_tokens_in_paths_are_not_logged():
    token = "ab" * 20
    for path in (f"/ws/{token}", f"/ws/{token}.", f"/ws/x{token}&y", f"/ws/{token.upper()}"):
        assert "/token-" in shown_path(path).replace("xtoken", "token")
        assert "abab" not in shown_path(path).lower()
    assert shown_path("/jobs/20261120000000000001") == "/jobs/20261120000000000001"

"""Routes of logins at a provider."""

import pytest

from salt_g.http_api.api_services import RoutedRequest
from salt_g.http_api.login_routes import logout
from salt_g.http_api.messages import Refusal
from salt_g.http_api.oidc.routes import COOKIE, go_through

MADE = {"token": "ab" * 32, "name": "ann", "eauth": "oidc", "start": 1.0, "expire": 4e9}


@pytest.fixture
def parts(make_parts, oidc, master):
    parts = make_parts()
    parts.oidc = oidc
    master.answers["mk_token"] = MADE
    return parts


def _cookies(response):
    return [value for name, value in response.headers if name == "Set-Cookie"]


@pytest.fixture
def come_back(parts, hostile_provider, make_request):
    """Return a function that returns the response to the browser's callback."""

    def run(**headers):
        begun = go_through(parts, RoutedRequest(make_request(path="/oidc/login"), None, None, "login"))
        assert begun.status == 302
        location = dict(begun.headers)["Location"]
        query = dict(part.split("=", 1) for part in location.partition("?")[2].split("&"))
        hostile_provider.token = hostile_provider.signed(nonce=query["nonce"])
        cookie = _cookies(begun)[0].partition(";")[0]
        request = make_request(
            path="/oidc/callback",
            headers={"cookie": cookie, **headers},
            query={"state": query["state"], "code": "c0de"},
        )
        return go_through(parts, RoutedRequest(request, None, None, "callback"))

    return run


def test_a_browser_gets_a_session_and_goes_on_to_the_page(come_back, parts, master, hostile_provider):
    response = come_back(accept="text/html")

    assert (response.status, dict(response.headers)["Location"]) == (303, "/")
    session, gone = _cookies(response)
    assert session.endswith("; HttpOnly; SameSite=Strict")
    assert gone.startswith(f"{COOKIE}=; Max-Age=0; ")
    assert len(parts.sessions) == 1
    sent, source = master.requests[0]
    assert sent == {"cmd": "mk_token", "username": "ann", "password": hostile_provider.token, "eauth": "oidc"}
    assert source == "192.0.2.7"
    assert "X-Auth-Token" not in dict(response.headers)


def test_a_program_gets_the_session_as_from_login(come_back):
    response = come_back(accept="application/json")

    assert response.status == 200
    assert b'"eauth": "oidc"' in response.body
    assert dict(response.headers)["X-Auth-Token"]


def test_a_refusal_of_the_master_refuses_the_login(come_back, master):
    master.answers["mk_token"] = ""

    with pytest.raises(Refusal) as refused:
        come_back()
    assert refused.value.status == 401


def test_users_are_bound_to_addresses_here_too(come_back, parts):
    parts.settings = parts.settings._replace(acl={"users": {"ann": ["198.51.100.1"]}})

    with pytest.raises(Refusal) as refused:
        come_back()
    assert refused.value.status == 401


@pytest.mark.parametrize("rest", ["", "nope", "login/x"])
def test_other_paths_are_not_found(parts, make_request, rest):
    with pytest.raises(Refusal) as refused:
        go_through(parts, RoutedRequest(make_request(), None, None, rest))
    assert refused.value.status == 404


def test_without_a_provider_there_is_no_such_route(make_parts, make_request):
    with pytest.raises(Refusal, match="external_auth: oidc is missing") as refused:
        go_through(make_parts(), RoutedRequest(make_request(), None, None, "login"))
    assert refused.value.status == 404


def test_a_logout_names_the_address_that_ends_the_session_of_the_provider(
    come_back, parts, make_request, hostile_provider
):
    come_back(accept="text/html")
    session = parts.sessions.make(MADE)[1]

    answer = logout(parts, RoutedRequest(make_request("POST"), None, session, ""))

    assert answer.data["end_session"] == f"{hostile_provider.issuer}/end?client_id=api"

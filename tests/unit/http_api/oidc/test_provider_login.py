"""Logins at a hostile provider."""

import urllib.parse

import pytest

from salt_g.errors import AuthModuleError
from salt_g.http_api.messages import Refusal
from salt_g.http_api.oidc.provider_login import ProviderLogin


@pytest.fixture
def come_back(oidc, hostile_provider):
    """Return a function that returns the result of a login with the token made by `make(nonce)`."""

    def run(make=None, **query):
        _, ticket = oidc.begin()
        hostile_provider.token = make(ticket.nonce) if make else hostile_provider.signed(nonce=ticket.nonce)
        return oidc.finish(ticket.cookie, {"state": ticket.state, "code": "c0de", **query})

    return run


def test_a_browser_is_sent_to_the_provider_with_a_challenge(oidc, hostile_provider):
    url, ticket = oidc.begin()

    address, _, query = url.partition("?")
    assert address == f"{hostile_provider.issuer}/authorize"
    assert dict(urllib.parse.parse_qsl(query)) == {
        "response_type": "code",
        "client_id": "api",
        "redirect_uri": "https://salt.example/oidc/callback",
        "scope": "openid profile email",
        "state": ticket.state,
        "nonce": ticket.nonce,
        "code_challenge": ticket.challenge,
        "code_challenge_method": "S256",
    }


def test_a_code_is_exchanged_for_the_user_and_the_token(come_back, hostile_provider):
    assert come_back() == ("ann", hostile_provider.token)

    fields = dict(urllib.parse.parse_qsl(dict(hostile_provider.requests)["/token"]))
    assert (fields["code"], fields["client_id"]) == ("c0de", "api")
    assert 43 <= len(fields["code_verifier"]) <= 128
    assert "client_secret" not in fields


def test_the_secret_is_sent_as_the_provider_takes_it(come_back, hostile_provider):
    hostile_provider.document["token_endpoint_auth_methods_supported"] = ["client_secret_post"]
    come_back()

    assert "client_secret=se+cret" in dict(hostile_provider.requests)["/token"]


@pytest.mark.parametrize(
    ("changed", "status", "why"),
    [
        ({"nonce": "other"}, 401, "another login"),
        ({"nonce": None}, 401, "another login"),
        ({"iss": "https://evil.example"}, 401, "the issuer of the ID token is not"),
        ({"aud": "other"}, 401, "does not include"),
        ({"exp": 1, "iat": 1}, 401, "expired"),
        ({"preferred_username": None}, 401, "preferred_username"),
    ],
)
def test_a_token_that_is_not_for_this_login_is_refused(come_back, hostile_provider, changed, status, why):
    with pytest.raises(Refusal, match=why) as refused:
        come_back(lambda nonce: hostile_provider.signed(**{"nonce": nonce, **changed}))

    assert refused.value.status == status


@pytest.mark.parametrize("kind", ["unsigned", "signed_with_public_key"])
def test_a_token_without_a_signature_of_the_provider_is_refused(come_back, hostile_provider, kind):
    with pytest.raises(Refusal, match="signed with") as refused:
        come_back(lambda nonce: getattr(hostile_provider, kind)(nonce=nonce))

    assert refused.value.status == 401


def test_a_state_counts_once_and_for_its_browser(oidc, hostile_provider):
    _, ticket = oidc.begin()
    hostile_provider.token = hostile_provider.signed(nonce=ticket.nonce)
    query = {"state": ticket.state, "code": "c0de"}

    for cookie, sent in [("", query), (ticket.cookie, {**query, "state": "x"}), (ticket.cookie, {})]:
        with pytest.raises(Refusal) as refused:
            oidc.finish(cookie, sent)
        assert refused.value.status == 400
    assert oidc.finish(ticket.cookie, query)
    with pytest.raises(Refusal, match="already used"):
        oidc.finish(ticket.cookie, query)


@pytest.mark.parametrize(
    ("error", "shown"), [("access_denied", "access_denied"), ("<script>", "no known reason")]
)
def test_a_refusal_of_the_provider_is_reported(come_back, error, shown):
    with pytest.raises(Refusal, match=shown) as refused:
        come_back(error=error)

    assert refused.value.status == 401


@pytest.mark.parametrize(
    ("reply", "status"),
    [
        ((400, {"error": "invalid_grant"}), 401),
        ((200, {}), 401),
        ((200, b"no json"), 502),
        ((503, {}), 502),
        ((302, {}), 401),
    ],
)
def test_a_provider_without_a_token_is_reported(come_back, hostile_provider, reply, status):
    hostile_provider.replies["/token"] = reply

    with pytest.raises(Refusal) as refused:
        come_back()
    assert refused.value.status == status


def test_a_provider_that_is_away_is_502(options):
    options["^issuer"] = "http://127.0.0.1:9"

    with pytest.raises(Refusal, match="cannot be reached") as refused:
        ProviderLogin(options).begin()
    assert refused.value.status == 502
    assert ProviderLogin(options).end_url() == ""


def test_the_provider_says_where_its_session_ends(oidc, hostile_provider):
    assert oidc.end_url() == f"{hostile_provider.issuer}/end?client_id=api"


def test_a_provider_need_not_have_an_end_of_its_session(oidc, hostile_provider):
    del hostile_provider.document["end_session_endpoint"]

    assert oidc.end_url() == ""


def test_browsers_need_an_address_to_come_back_to(options):
    with pytest.raises(AuthModuleError, match="redirect_uri"):
        ProviderLogin({**options, "^redirect_uri": ""})

"""Documents and keys of an OpenID provider: reading, caching, refusals."""

import pytest

pytest.importorskip("joserfc")

from salt_g.auth.oidc_provider import (
    AGAIN_AFTER,
    FAILED_FOR,
    KEPT,
    MAX_ANSWER,
    Provider,
    ProviderError,
    provider_of,
)
from tests.support.clocks import Clock
from tests.support.hostile_oidc_provider import running_hostile_provider

DOCUMENT = "/.well-known/openid-configuration"


@pytest.fixture
def hostile_provider():
    with running_hostile_provider() as hostile_provider:
        yield hostile_provider


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def provider(hostile_provider, clock):
    return Provider(hostile_provider.issuer, clock=clock)


def test_document_and_keys_are_read_once_an_hour(hostile_provider, provider, clock):
    for _ in range(3):
        assert provider.document()["issuer"] == hostile_provider.issuer
        assert [key["kid"] for key in provider.keys("first")] == ["first"]
    assert [path for path, _ in hostile_provider.requests] == [DOCUMENT, "/keys"]

    clock.now = KEPT
    provider.keys("first")
    assert [path for path, _ in hostile_provider.requests[2:]] == [DOCUMENT, "/keys"]


def test_unknown_key_ids_do_not_flood_the_provider(hostile_provider, provider, clock):
    for number in range(50):
        provider.keys(f"unknown{number}")
    assert len(hostile_provider.requests) == 2
    clock.now = AGAIN_AFTER
    provider.keys("unknown")
    assert len(hostile_provider.requests) == 3


def test_a_provider_that_fails_is_asked_again_after_a_moment(hostile_provider, provider, clock):
    hostile_provider.replies[DOCUMENT] = (503, {})
    for _ in range(5):
        with pytest.raises(ProviderError, match="status 503"):
            provider.document()
    assert len(hostile_provider.requests) == 1
    hostile_provider.replies.clear()
    clock.now = FAILED_FOR
    assert provider.document()


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        (b"<html>", "JSON object"),
        (b"[]", "JSON object"),
        (b"[" * 100_000, "JSON object"),
        (b" " * (MAX_ANSWER + 1), "more than"),
        ({}, "calls itself the issuer"),
        ({"issuer": "https://evil.example"}, "evil.example"),
    ],
)
def test_a_document_that_makes_no_sense_is_refused(hostile_provider, provider, answer, why):
    hostile_provider.replies[DOCUMENT] = (200, answer)

    with pytest.raises(ProviderError, match=why):
        provider.document()


@pytest.mark.parametrize("url", ["http://keys.example/", "ftp://keys.example/", "", "https://"])
def test_addresses_in_a_document_are_encrypted(hostile_provider, provider, url):
    hostile_provider.document["jwks_uri"] = url

    with pytest.raises(ProviderError, match="jwks_uri must be"):
        provider.document()


@pytest.mark.parametrize("issuer", ["http://login.example", "login.example", "file:///etc/passwd"])
def test_an_issuer_is_encrypted(issuer):
    with pytest.raises(ProviderError, match="https"):
        Provider(issuer)


def test_a_redirect_is_not_followed(hostile_provider, provider):
    hostile_provider.replies[DOCUMENT] = (302, {})

    with pytest.raises(ProviderError, match="status 302"):
        provider.document()


def test_keys_are_a_list(hostile_provider, provider):
    hostile_provider.replies["/keys"] = (200, {"keys": "none"})

    with pytest.raises(ProviderError, match="not a list"):
        provider.keys("")


def test_a_form_is_sent_and_its_refusal_returned(hostile_provider, provider):
    hostile_provider.replies["/token"] = (400, {"error": "invalid_grant"})

    assert provider.post(f"{hostile_provider.issuer}/token", {"code": "a b"}, {}) == (
        400,
        {"error": "invalid_grant"},
    )
    assert hostile_provider.requests == [("/token", "code=a+b")]


def test_all_logins_share_a_provider(hostile_provider):
    assert provider_of(hostile_provider.issuer, "") is provider_of(hostile_provider.issuer, "")

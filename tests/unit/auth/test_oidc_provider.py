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
from tests.support.oidc_liar import running_liar

DOCUMENT = "/.well-known/openid-configuration"


@pytest.fixture
def liar():
    with running_liar() as liar:
        yield liar


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def provider(liar, clock):
    return Provider(liar.issuer, clock=clock)


def test_document_and_keys_are_read_once_an_hour(liar, provider, clock):
    for _ in range(3):
        assert provider.document()["issuer"] == liar.issuer
        assert [key["kid"] for key in provider.keys("first")] == ["first"]
    assert [path for path, _ in liar.asked] == [DOCUMENT, "/keys"]

    clock.now = KEPT
    provider.keys("first")
    assert [path for path, _ in liar.asked[2:]] == [DOCUMENT, "/keys"]


def test_unknown_key_ids_do_not_flood_the_provider(liar, provider, clock):
    for number in range(50):
        provider.keys(f"unknown{number}")
    assert len(liar.asked) == 2
    clock.now = AGAIN_AFTER
    provider.keys("unknown")
    assert len(liar.asked) == 3


def test_a_provider_that_fails_is_asked_again_after_a_moment(liar, provider, clock):
    liar.replies[DOCUMENT] = (503, {})
    for _ in range(5):
        with pytest.raises(ProviderError, match="status 503"):
            provider.document()
    assert len(liar.asked) == 1
    liar.replies.clear()
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
def test_a_document_that_makes_no_sense_is_refused(liar, provider, answer, why):
    liar.replies[DOCUMENT] = (200, answer)

    with pytest.raises(ProviderError, match=why):
        provider.document()


@pytest.mark.parametrize("url", ["http://keys.example/", "ftp://keys.example/", "", "https://"])
def test_addresses_in_a_document_are_encrypted(liar, provider, url):
    liar.document["jwks_uri"] = url

    with pytest.raises(ProviderError, match="jwks_uri must be"):
        provider.document()


@pytest.mark.parametrize("issuer", ["http://login.example", "login.example", "file:///etc/passwd"])
def test_an_issuer_is_encrypted(issuer):
    with pytest.raises(ProviderError, match="https"):
        Provider(issuer)


def test_a_redirect_is_not_followed(liar, provider):
    liar.replies[DOCUMENT] = (302, {})

    with pytest.raises(ProviderError, match="status 302"):
        provider.document()


def test_keys_are_a_list(liar, provider):
    liar.replies["/keys"] = (200, {"keys": "none"})

    with pytest.raises(ProviderError, match="not a list"):
        provider.keys("")


def test_a_form_is_sent_and_its_refusal_returned(liar, provider):
    liar.replies["/token"] = (400, {"error": "invalid_grant"})

    assert provider.post(f"{liar.issuer}/token", {"code": "a b"}, {}) == (400, {"error": "invalid_grant"})
    assert liar.asked == [("/token", "code=a+b")]


def test_all_logins_share_a_provider(liar):
    assert provider_of(liar.issuer, "") is provider_of(liar.issuer, "")

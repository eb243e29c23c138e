"""ID tokens: their validation and their claims."""

import time

import pytest

pytest.importorskip("joserfc")

from salt_g.auth.oidc import (
    Checker,
    OidcSettings,
    TokenRefused,
    UsedTokens,
    checked_claims,
    groups_of,
    user_of,
)
from salt_g.auth.oidc_provider import ProviderError
from salt_g.errors import AuthModuleError
from tests.support.hostile_oidc_provider import key, running_hostile_provider


@pytest.fixture
def hostile_provider():
    with running_hostile_provider() as hostile_provider:
        yield hostile_provider


@pytest.fixture
def options(hostile_provider):
    return {"^issuer": hostile_provider.issuer, "^client_id": "api"}


@pytest.fixture
def settings(options):
    return OidcSettings.of(options)


def test_a_good_token_logs_its_user_in_once(hostile_provider, options):
    checker, token = Checker({}, options), hostile_provider.signed()

    assert checker.is_right("ann", token)
    assert checker.groups("ann") == ["ops"]
    assert checker.permissions("ann", token) is None
    with pytest.raises(TokenRefused, match="already been used for a login"):
        Checker({}, options).is_right("ann", token)
    with pytest.raises(TokenRefused):
        Checker({}, options).is_right("ann", token + "=")


def test_a_token_is_for_its_own_user(hostile_provider, options):
    assert not Checker({}, options).is_right("root", hostile_provider.signed())


NOW = int(time.time())


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        ({"iss": "https://evil.example"}, "the issuer of the ID token is not"),
        ({"iss": None}, "the issuer of the ID token is not"),
        ({"aud": "other"}, "does not include"),
        ({"aud": None}, "does not include"),
        ({"aud": ["api", "other"]}, "the authorized party of the ID token is not"),
        ({"azp": "other"}, "the authorized party of the ID token is not"),
        ({"exp": NOW - 3600, "iat": NOW - 3700}, "expired"),
        ({"exp": None}, "no timestamp 'exp'"),
        ({"exp": "tomorrow"}, "no timestamp 'exp'"),
        ({"exp": True}, "no timestamp 'exp'"),
        ({"iat": None}, "no timestamp 'iat'"),
        ({"iat": NOW + 3600, "exp": NOW + 7200}, "becomes valid only in"),
        ({"nbf": NOW + 3600}, "becomes valid only in"),
        ({"iat": NOW - 7200, "exp": NOW + 7200}, "made more than"),
    ],
)
def test_a_token_that_is_not_for_us_or_not_for_now_is_refused(hostile_provider, settings, changed, why):
    with pytest.raises(TokenRefused, match=why):
        checked_claims(settings, hostile_provider.signed(**changed))


def test_a_clock_may_be_wrong_by_the_leeway(hostile_provider, settings):
    token = hostile_provider.signed(exp=NOW + 30, iat=NOW)

    assert checked_claims(settings, token, clock=lambda: NOW + 80)
    assert checked_claims(settings, token, clock=lambda: NOW - 50)
    with pytest.raises(TokenRefused, match="expired"):
        checked_claims(settings, token, clock=lambda: NOW + 100)


def test_a_token_with_several_audiences_names_us_as_its_party(hostile_provider, settings):
    assert checked_claims(settings, hostile_provider.signed(aud=["api", "other"], azp="api"))


def test_a_signature_that_is_not_the_providers_is_refused(hostile_provider, settings):
    forged = [
        hostile_provider.signed(by=key("second")),
        hostile_provider.signed()[:-8] + "AAAAAAAA",
        hostile_provider.unsigned(),
        hostile_provider.unsigned() + "AAAA",
        hostile_provider.signed_with_public_key(),
        "a.b",
        "",
        "a.b.c",
        "x" * 20_000,
    ]
    for token in forged:
        with pytest.raises(TokenRefused):
            checked_claims(settings, token)


def test_a_shared_secret_among_the_keys_of_a_provider_is_no_key(hostile_provider, settings):
    hostile_provider.keys = [{"kty": "oct", "kid": "first", "k": "c2VjcmV0"}]

    with pytest.raises(TokenRefused, match="no key"):
        checked_claims(settings, hostile_provider.signed())


def test_a_provider_may_change_its_keys(hostile_provider, settings):
    assert checked_claims(settings, hostile_provider.signed(kid=""))
    hostile_provider.keys = [key("second").as_dict(private=False)]
    # The keys are read again for a key id that is not known, but not at once.
    with pytest.raises(TokenRefused, match="no key"):
        checked_claims(settings, hostile_provider.signed(by=key("second"), kid="second"))
    settings.provider._not_before = 0
    assert checked_claims(settings, hostile_provider.signed(by=key("second"), kid="second"))


@pytest.mark.parametrize("user", [None, "", 5, "a" * 300, "a\nb", ["ann"]])
def test_a_token_names_its_user_as_text(settings, user):
    with pytest.raises(TokenRefused, match="preferred_username"):
        user_of(settings, {"preferred_username": user})


def test_an_address_counts_when_the_provider_has_verified_it(options):
    settings = OidcSettings.of({**options, "^user_claim": "email"})

    assert user_of(settings, {"email": "a@x.example", "email_verified": True}) == "a@x.example"
    for verified in (False, None, "true"):
        with pytest.raises(TokenRefused, match="not verified"):
            user_of(settings, {"email": "a@x.example", "email_verified": verified})


@pytest.mark.parametrize(
    ("claim", "claims", "groups"),
    [
        ("groups", {"groups": ["ops", 5, "", "web"]}, ["ops", "web"]),
        ("groups", {"groups": "ops"}, []),
        ("groups", {}, []),
        ("realm_access.roles", {"realm_access": {"roles": ["admin"]}}, ["admin"]),
        ("realm_access.roles", {"realm_access": "x"}, []),
        ("https://x.example/groups", {"https://x.example/groups": ["ops"]}, ["ops"]),
    ],
)
def test_groups_are_in_the_claim_of_the_settings(options, claim, claims, groups):
    assert groups_of(OidcSettings.of({**options, "^groups_claim": claim}), claims) == groups


@pytest.mark.parametrize(
    "changed",
    [{"^issuer": ""}, {"^client_id": ""}, {"^algorithms": ["HS256"]}, {"^algorithms": ["none"]}],
)
def test_settings_that_cannot_be_used_are_refused(options, changed):
    with pytest.raises(AuthModuleError):
        OidcSettings.of({**options, **changed})


def test_a_provider_that_is_away_is_named():
    with running_hostile_provider() as hostile_provider:
        token = hostile_provider.signed()
    settings = OidcSettings.of({"^issuer": hostile_provider.issuer, "^client_id": "api"})

    with pytest.raises(ProviderError, match="cannot be reached"):
        checked_claims(settings, token)


def test_no_text_of_a_refusal_holds_a_part_of_the_token(hostile_provider, settings):
    tokens = [
        hostile_provider.signed(aud="secret-client"),
        hostile_provider.signed(by=key("second")),
        hostile_provider.unsigned(iss="secret"),
    ]

    for token in tokens:
        with pytest.raises(TokenRefused) as refused:
            checked_claims(settings, token)
        assert not any(part and part in str(refused.value) for part in [*token.split("."), "secret"])


def test_used_tokens_are_forgotten_when_they_can_be_valid_no_longer():
    used = UsedTokens()

    assert used.take("a.b.c", 0)
    assert not used.take("a.b.d", 100)
    assert used.take("e.f.g", 2000)
    assert len(used) == 1

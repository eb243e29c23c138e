"""A hostile provider that signs whatever a test requests, and logins at it."""

import pytest

pytest.importorskip("joserfc")

from salt_g.http_api.oidc.provider_login import ProviderLogin
from tests.support.hostile_oidc_provider import running_hostile_provider


@pytest.fixture
def hostile_provider():
    with running_hostile_provider() as hostile_provider:
        yield hostile_provider


@pytest.fixture
def options(hostile_provider):
    return {
        "^issuer": hostile_provider.issuer,
        "^client_id": "api",
        "^client_secret": "se cret",
        "^redirect_uri": "https://salt.example/oidc/callback",
    }


@pytest.fixture
def oidc(options):
    return ProviderLogin(options)

"""A malicious provider that signs whatever a test requests, and logins at it."""

import pytest

pytest.importorskip("joserfc")

from salt_g.http_api.oidc.provider_login import ProviderLogin
from tests.support.oidc_liar import running_liar


@pytest.fixture
def liar():
    with running_liar() as liar:
        yield liar


@pytest.fixture
def options(liar):
    return {
        "^issuer": liar.issuer,
        "^client_id": "api",
        "^client_secret": "se cret",
        "^redirect_uri": "https://salt.example/oidc/callback",
    }


@pytest.fixture
def oidc(options):
    return ProviderLogin(options)

"""Keys, and plans of OpenSSH certificates."""

import pytest

from salt_g import x509
from salt_g.x509 import ssh


@pytest.fixture(scope="module")
def key():
    return x509.keys.generate("ed25519")


@pytest.fixture(scope="module")
def issuer():
    return x509.keys.generate("ed25519")


@pytest.fixture(scope="session")
def make_plan():
    """Return a function that makes the plan of a user's certificate for a key."""

    def make(key, **arguments):
        return ssh.plans.plan(
            public_key=key.public_key(), **{"cert_type": "user", "valid_principals": ["root"], **arguments}
        )

    return make

"""Plans of OpenSSH's certificates."""

import pytest

from salt_g import x509
from salt_g.errors import InvocationError
from salt_g.x509 import ssh


@pytest.fixture(scope="module")
def key():
    return x509.keys.generate("ed25519")


@pytest.fixture(scope="module")
def issuer():
    return x509.keys.generate("ed25519")


def _plan(key, **arguments):
    return ssh.plans.plan(
        public_key=key.public_key(), **{"cert_type": "user", "valid_principals": ["root"], **arguments}
    )


def test_nobody_gets_all_principals_by_saying_nothing(key):
    with pytest.raises(InvocationError, match="all_principals"):
        _plan(key, valid_principals=[])


def test_a_certificate_for_all_principals_is_asked_for_in_words(key):
    assert _plan(key, valid_principals=None, all_principals=True).principals == []


def test_a_plan_gets_a_serial_number_of_its_own(key):
    assert _plan(key).serial != _plan(key).serial

"""Differences between certificates of OpenSSH and their plans."""

import pytest

from salt_g import x509
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


def test_a_certificate_of_the_same_plan_can_stay(key, issuer):
    plan = _plan(key, key_id="me", critical_options={"force-command": "id"})

    changes = ssh.differences.of_certificate(plan.sign(issuer), plan, issuer.public_key())

    assert changes == {}


def test_differences_name_what_was_added_changed_and_removed(key, issuer):
    found = _plan(key, key_id="me", extensions={"a@b": "1", "c@d": "1"}).sign(issuer)
    wanted = _plan(
        issuer,
        key_id="you",
        cert_type="host",
        extensions={"a@b": "2", "e@f": "1"},
        valid_principals=["www"],
    )

    changes = ssh.differences.of_certificate(found, wanted, key.public_key())

    assert changes == {
        "private_key": True,
        "signing_private_key": True,
        "key_id": {"old": "me", "new": "you"},
        "cert_type": "host",
        "extensions": {"added": ["e@f"], "changed": ["a@b"], "removed": ["c@d"]},
        "principals": {"added": ["www"], "removed": ["root"]},
    }


def test_every_principal_is_reported_as_all(key, issuer):
    everybody = _plan(key, valid_principals=None, all_principals=True)
    one = _plan(key)

    widened = ssh.differences.of_certificate(one.sign(issuer), everybody, issuer.public_key())
    narrowed = ssh.differences.of_certificate(everybody.sign(issuer), one, issuer.public_key())

    assert widened == {"principals": {"added": "*ALL*", "removed": []}}
    assert narrowed == {"principals": {"added": ["root"], "removed": "*ALL*"}}

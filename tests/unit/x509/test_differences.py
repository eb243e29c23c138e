"""Differences between certificates, requests and revocation lists and their plans."""

import pytest

from salt_g import x509

AUTHORITY = x509.keys.generate("ed25519")
SUBJECT = x509.keys.generate("ed25519")
CA = x509.plans.certificate({"signing_private_key": AUTHORITY, "CN": "ca"}).sign("sha256")
WISH = {
    "signing_private_key": AUTHORITY,
    "signing_cert": CA,
    "public_key": SUBJECT.public_key(),
    "CN": "a",
    "keyUsage": "digitalSignature",
}


def _differences(change, *, number_matters=False):
    made = x509.plans.certificate(WISH).sign("sha256")
    plan = x509.plans.certificate({**WISH, **change})
    return x509.differences.of_certificate(made, plan, number_matters=number_matters)


def test_a_signed_certificate_does_not_differ_from_its_plan():
    assert _differences({}) == {}


@pytest.mark.parametrize(
    ("change", "changes"),
    [
        ({"CN": "b"}, {"subject_name": "CN=b"}),
        ({"public_key": AUTHORITY.public_key()}, {"private_key": True}),
        (
            {"keyUsage": "keyAgreement"},
            {"extensions": {"added": [], "changed": ["keyUsage"], "removed": []}},
        ),
        ({"keyUsage": None}, {"extensions": {"added": [], "changed": [], "removed": ["keyUsage"]}}),
        ({"serial_number": "AB:12"}, {"serial_number": 0xAB12}),
    ],
)
def test_differences_are_named(change, changes):
    assert _differences(change, number_matters="serial_number" in change) == changes


def test_the_differences_of_a_request_are_named():
    made = x509.plans.request(SUBJECT, None, {"CN": "a"}).sign("sha256")
    same = x509.plans.request(SUBJECT, None, {"CN": "a"})
    other = x509.plans.request(AUTHORITY, None, {"CN": "b"})

    assert x509.differences.of_request(made, same) == {}
    assert x509.differences.of_request(made, other) == {"private_key": True, "subject_name": "CN=b"}


def test_revocations_that_come_and_go_are_named_by_their_numbers():
    made = x509.plans.revocation_list(AUTHORITY, [{"serial_number": 1}], signing_cert=CA).sign("sha256")
    plan = x509.plans.revocation_list(AUTHORITY, [{"serial_number": 255}], signing_cert=CA)

    changes = x509.differences.of_revocation_list(made, plan)

    assert changes["revocations"] == {"added": ["FF"], "changed": [], "removed": ["01"]}


def test_another_digest_is_a_difference_where_the_key_has_one():
    key = x509.keys.generate("ec")
    made = x509.plans.certificate({"signing_private_key": key, "CN": "ca"}).sign("sha256")

    assert x509.differences.of_digest(made, "sha256") == {}
    assert x509.differences.of_digest(made, "sha512") == {"digest": "sha512"}
    assert x509.differences.of_digest(CA, "sha512") == {}


def test_a_chain_has_an_order():
    other = x509.plans.certificate({"signing_private_key": SUBJECT, "CN": "b"}).sign("sha256")

    assert x509.differences.are_same_chain([CA, other], [CA, other])
    assert not x509.differences.are_same_chain([CA, other], [other, CA])

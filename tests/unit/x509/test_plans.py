import pytest

from salt_g import x509
from salt_g.errors import InvocationError

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


def test_the_signers_key_has_to_fit_its_certificate():
    with pytest.raises(InvocationError, match="does not match"):
        x509.plans.certificate({**WISH, "signing_private_key": SUBJECT})


def test_extensions_of_a_request_are_taken_over_unless_named_or_forbidden():
    request = x509.plans.request(
        SUBJECT, None, {"CN": "a", "keyUsage": "keyAgreement", "subjectAltName": "DNS:a.example.org"}
    ).sign("sha256")
    wish = {"signing_private_key": AUTHORITY, "signing_cert": CA, "csr": request, "CN": "a"}

    taken = x509.plans.certificate(wish).sign("sha256")
    forbidden = x509.plans.certificate({**wish, "keyUsage": None}).sign("sha256")

    assert set(x509.rendering.extensions(taken.extensions)) == {"keyUsage", "subjectAltName"}
    assert set(x509.rendering.extensions(forbidden.extensions)) == {"subjectAltName"}


def test_a_revocation_list_leaves_out_what_has_expired():
    entries = [{"serial_number": 1, "not_after": "2001-01-01 00:00:00"}, {"serial_number": "02"}]

    plan = x509.plans.revocation_list(AUTHORITY, entries, signing_cert=CA)
    made = plan.sign("sha256")

    assert [entry.serial_number for entry in made] == [2]
    assert x509.differences.of_revocation_list(made, plan) == {}


def test_revocations_of_older_versions_are_understood():
    assert x509.policies.revoked([{"bad": [{"serial_number": "AB"}, {"reason": "keyCompromise"}]}]) == [
        {"serial_number": "AB", "extensions": {"CRLReason": "keyCompromise"}}
    ]


@pytest.mark.parametrize(
    ("policy", "requested", "subject"),
    [
        ({"CN": "policy"}, {"subject": "CN=asked", "O": "o"}, {"CN": "policy", "O": "o"}),
        ({"subject": {"O": "p"}}, {"subject": {"O": "a", "CN": "a"}}, {"subject": {"O": "p", "CN": "a"}}),
        ({"subject": ["O=p"]}, {"subject": ["CN=a"]}, {"subject": ["O=p", "CN=a"]}),
        ({"subject": "CN=p"}, {"subject": ["CN=a"]}, {"subject": "CN=p"}),
        ({"days_valid": 3}, {"subject": "CN=a", "days_valid": 9}, {"subject": "CN=a", "days_valid": 3}),
        ({"commonName": "p"}, {"CN": "a"}, {"CN": "p"}),
    ],
)
def test_a_policy_cannot_be_overridden(policy, requested, subject):
    assert x509.policies.enforced(policy, requested) == subject


@pytest.mark.parametrize("name", ["CRLNumber", "X509v3 CRLNumber"])
def test_a_number_of_a_revocation_list_may_have_an_old_name(name):
    plan = x509.plans.revocation_list(AUTHORITY, [], signing_cert=CA, extensions={name: 3})

    made = plan.sign("sha256")

    assert x509.rendering.extensions(made.extensions) == {"cRLNumber": {"critical": False, "value": 3}}


def test_entries_of_a_revocation_list_say_why_and_since_when():
    wish = {"CRLReason": "keyCompromise", "invalidityDate": "2030-01-31 12:00:00"}
    entries = [{"serial_number": 7, "extensions": wish}]

    plan = x509.plans.revocation_list(AUTHORITY, entries, signing_cert=CA, extensions={"cRLNumber": 3})
    made = plan.sign("sha256")

    (entry,) = made
    assert x509.differences.of_revocation_list(made, plan) == {}
    assert x509.rendering.extensions(made.extensions) == {"cRLNumber": {"critical": False, "value": 3}}
    assert x509.rendering.extensions(entry.extensions) == {
        "CRLReason": {"critical": False, "value": "keyCompromise"},
        "invalidityDate": {"critical": False, "value": "2030-01-31 12:00:00"},
    }

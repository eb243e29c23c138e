import pytest
from cryptography import x509 as library

from salt_g import x509
from salt_g.errors import CommandExecutionError, InvocationError
from salt_g.x509.extensions import Parties, extension

KEY = x509.keys.generate("ed25519")


@pytest.fixture(scope="module")
def authority():
    plan = x509.plans.certificate(
        {
            "signing_private_key": KEY,
            "CN": "ca",
            "subjectKeyIdentifier": "hash",
            "subjectAltName": "DNS:ca.example.org",
        }
    )
    return plan.sign("sha256")


@pytest.mark.parametrize(
    "value",
    [
        "critical, CA:TRUE, pathlen:1",
        "critical CA:true, pathlen:1",
        {"critical": True, "ca": True, "pathlen": 1},
        ["critical", "CA:TRUE", {"pathlen": 1}],
    ],
)
def test_basic_constraints_come_in_many_forms(value):
    made = extension("basicConstraints", value)

    assert made == (library.BasicConstraints(True, 1), True)


@pytest.mark.parametrize("value", ["critical cRLSign, keyCertSign", ["critical", "cRLSign", "keyCertSign"]])
def test_key_usage_is_a_list_of_words(value):
    made = extension("keyUsage", value)

    assert made.critical
    assert made.value.crl_sign and made.value.key_cert_sign and not made.value.digital_signature


@pytest.mark.parametrize(
    "value",
    [
        "DNS:*.example.org, IP:10.0.0.1, email:me@example.org",
        ["DNS:*.example.org", {"ip": "10.0.0.1"}, "email:me@example.org"],
    ],
)
def test_alternative_names_have_kinds(value):
    made = extension("subjectAltName", value)

    assert [x509.names.shown(name) for name in made.value] == [
        "DNS:*.example.org",
        "IP:10.0.0.1",
        "mail:me@example.org",
    ]


def test_a_name_with_umlauts_is_written_in_ascii():
    made = extension("subjectAltName", "DNS:bücher.example.org")

    assert made.value.get_values_for_type(library.DNSName) == ["xn--bcher-kva.example.org"]


def test_the_authority_is_named_by_its_own_identifier(authority):
    made = extension("authorityKeyIdentifier", "keyid:always, issuer", Parties(None, authority))

    own = authority.extensions.get_extension_for_class(library.SubjectKeyIdentifier).value
    assert made.value.key_identifier == own.digest
    assert made.value.authority_cert_issuer is None


def test_names_of_the_authority_are_copied(authority):
    made = extension("issuerAltName", "issuer:copy, DNS:b.example.org", Parties(None, authority))

    assert [name.value for name in made.value] == ["ca.example.org", "b.example.org"]


def test_distribution_points_have_a_short_and_a_full_form():
    short = extension("crlDistributionPoints", "URI:http://a.example.org/x.crl").value
    full = extension(
        "crlDistributionPoints",
        [{"fullname": "URI:http://a.example.org/x.crl", "reasons": ["keyCompromise"]}],
    ).value

    assert short[0].full_name == full[0].full_name
    assert full[0].reasons == {library.ReasonFlags.key_compromise}


def test_name_constraints_are_read_from_text():
    made = extension("nameConstraints", "critical,permitted;IP:192.168.0.0/255.255.0.0,excluded;email:.com")

    assert made.critical
    assert [x509.names.shown(name) for name in made.value.permitted_subtrees] == ["IP:192.168.0.0/16"]
    assert [name.value for name in made.value.excluded_subtrees] == [".com"]


def test_certificate_policies_may_have_notices():
    made = extension(
        "certificatePolicies",
        {"1.2.3.4": ["https://example.org", {"organization": "o", "noticeNumbers": [1], "text": "t"}]},
    )

    assert made.value[0].policy_qualifiers[0] == "https://example.org"
    assert made.value[0].policy_qualifiers[1].explicit_text == "t"


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("basicConstraints", "pathlen:1"),
        ("basicConstraints", "CA:TRUE, pathlen:x"),
        ("keyUsage", "signing"),
        ("extendedKeyUsage", "serverauth"),
        ("subjectAltName", "DNS:a b"),
        ("subjectAltName", "IP:300.0.0.1"),
        ("subjectAltName", "host:a"),
        ("subjectKeyIdentifier", "critical, hash"),
        ("subjectKeyIdentifier", "xyz"),
        ("authorityKeyIdentifier", "issuer:always"),
        ("nameConstraints", "permitted"),
        ("tlsfeature", "status"),
        ("policyConstraints", "requireExplicit:1"),
        ("invalidityDate", "yesterday"),
        ("CRLReason", "boredom"),
        ("nsComment", "x"),
        ("noSuch", "x"),
    ],
)
def test_an_invalid_extension_is_refused(name, value):
    with pytest.raises((InvocationError, CommandExecutionError)):
        extension(name, value)

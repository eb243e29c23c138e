"""Extensions and numbers of certificates as plain data."""

import pytest
from cryptography.x509 import ObjectIdentifier

from salt_g import x509

KEY = x509.keys.generate("ed25519")


def shown(name, value):
    arguments = {"signing_private_key": KEY, "CN": "a", name: value}
    made = x509.plans.certificate(arguments).sign("sha256")
    return x509.rendering.extensions(made.extensions)[name]


@pytest.mark.parametrize(
    ("digits", "text"), [(b"\xab\x01", "AB:01"), ("abc", "0A:BC"), ("", ""), ("ff", "FF")]
)
def test_digits_are_in_pairs(digits, text):
    assert x509.rendering.pretty_hex(digits) == text


def test_numbers_are_hexadecimal():
    assert x509.rendering.number_hex(0xAB12) == "AB:12"


def test_an_identifier_without_a_name_is_shown_by_its_digits():
    assert x509.rendering.oid_name(ObjectIdentifier("2.5.29.15")) == "keyUsage"
    assert x509.rendering.oid_name(ObjectIdentifier("1.2.3.4.5")) == "1.2.3.4.5"


@pytest.mark.parametrize(
    ("name", "value", "found"),
    [
        ("basicConstraints", "critical, CA:TRUE, pathlen:1", {"critical": True, "ca": True, "pathlen": 1}),
        ("extendedKeyUsage", "serverAuth", {"critical": False, "value": ["serverAuth"]}),
        ("subjectAltName", "DNS:a.example.org", {"critical": False, "value": ["DNS:a.example.org"]}),
        (
            "nameConstraints",
            {"permitted": ["DNS:.example.org"]},
            {"critical": False, "excluded": [], "permitted": ["DNS:.example.org"]},
        ),
    ],
)
def test_extensions_are_plain_data(name, value, found):
    assert shown(name, value) == found


def test_usages_of_a_key_are_truth_values():
    found = shown("keyUsage", "critical, digitalSignature, keyCertSign")

    assert {name for name, is_set in found.items() if is_set is True} == {
        "critical",
        "digitalSignature",
        "keyCertSign",
    }

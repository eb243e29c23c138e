"""Keys: generation, type, comparison, signatures of certificates."""

import pytest

from salt_g import x509
from salt_g.errors import CommandExecutionError, InvocationError

KEYS = {kind: x509.keys.generate(kind) for kind in ("ec", "ed25519", "ed448")}


@pytest.mark.parametrize("kind", KEYS)
def test_the_kind_of_a_key_is_that_of_both_halves(kind):
    private = KEYS[kind]

    assert x509.keys.kind(private) == x509.keys.kind(private.public_key()) == kind
    assert x509.keys.is_private(private) and not x509.keys.is_private(private.public_key())
    assert x509.keys.is_public(private.public_key()) and not x509.keys.is_public(private)


def test_a_value_other_than_a_key_has_no_kind():
    assert x509.keys.kind("x") is None
    assert not x509.keys.is_private("x") and not x509.keys.is_public(None)


@pytest.mark.parametrize(
    ("arguments", "text"),
    [(("dsa",), "Invalid algorithm"), (("rsa", 1024), "RSA key size"), (("ec", 255), "EC key size")],
)
def test_unsupported_keys_are_refused(arguments, text):
    with pytest.raises(InvocationError, match=text):
        x509.keys.generate(*arguments)


def test_the_size_of_an_elliptic_curve_selects_the_curve():
    assert x509.keys.size(x509.keys.generate("ec", 384)) == 384
    assert x509.keys.size(KEYS["ed25519"]) is None


def test_halves_of_one_pair_belong_together():
    one, other = KEYS["ed25519"], KEYS["ed448"]

    assert x509.keys.is_pair(one.public_key(), one)
    assert not x509.keys.is_pair(other.public_key(), one)
    with pytest.raises(InvocationError, match="Did not recognize key type"):
        x509.keys.are_same("x", one.public_key())


@pytest.mark.parametrize("kind", KEYS)
def test_the_signer_of_a_certificate_is_recognized(kind):
    made = x509.plans.certificate({"signing_private_key": KEYS[kind], "CN": "ca"}).sign("sha256")

    signers = [name for name, key in KEYS.items() if x509.keys.has_signed(key.public_key(), made)]

    assert signers == [kind]


def test_some_kinds_fix_their_digest():
    assert x509.keys.digest_for(KEYS["ec"], "sha512").name == "sha512"
    assert x509.keys.digest_for(KEYS["ed25519"], "sha512") is None
    with pytest.raises(CommandExecutionError, match="'md4' for digest"):
        x509.keys.digest("md4")

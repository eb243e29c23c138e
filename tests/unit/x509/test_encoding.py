"""Keys and certificates as bytes: each written form can be read by the library."""

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import pkcs7, pkcs12

from salt_g.x509 import encoding
from salt_g.x509.times import in_days, now


@pytest.fixture(scope="module")
def key():
    return ec.generate_private_key(ec.SECP256R1())


@pytest.fixture(scope="module")
def made(key):
    """Return a function that makes a certificate of this name."""

    def certificate(name):
        subject = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, name)])
        builder = x509.CertificateBuilder(subject, subject, key.public_key(), x509.random_serial_number())
        return builder.not_valid_before(now()).not_valid_after(in_days(1)).sign(key, hashes.SHA256())

    return certificate


@pytest.mark.parametrize("form", encoding.CERTIFICATE_ENCODINGS)
def test_text_of_each_form_becomes_the_same_bytes_again(form):
    data = b"-----" if form in encoding.TEXT_ENCODINGS else b"\x00\xff\x80"

    assert encoding.from_text(encoding.as_text(data, form), form) == data


@pytest.mark.parametrize("passphrase", [None, "secret"])
@pytest.mark.parametrize("form", ["pem", "der"])
def test_a_private_key_is_read_with_its_passphrase(key, form, passphrase):
    data = encoding.private_key(key, form, passphrase)
    load = serialization.load_pem_private_key if form == "pem" else serialization.load_der_private_key

    again = load(data, passphrase and passphrase.encode())

    assert again.private_numbers() == key.private_numbers()
    assert (data[:5] == b"-----") is (form == "pem")


@pytest.mark.parametrize("compat", [False, True])
def test_a_container_has_the_key_and_all_certificates(key, made, compat):
    data = encoding.container(made("a"), [made("b")], key, passphrase="secret", compat=compat, name="mine")

    found = pkcs12.load_pkcs12(data, b"secret")

    assert found.key.private_numbers() == key.private_numbers()
    assert (found.cert.friendly_name, len(found.additional_certs)) == (b"mine", 1)


def test_certificates_of_a_chain_are_in_their_order(made):
    chain = [made("a"), made("b")]

    assert x509.load_pem_x509_certificates(encoding.certificates(chain[0], chain[1:], "pem")) == chain
    assert x509.load_der_x509_certificate(encoding.certificates(chain[0], chain[1:], "der")) == chain[0]


@pytest.mark.parametrize(
    ("form", "load"),
    [
        ("pkcs7_pem", pkcs7.load_pem_pkcs7_certificates),
        ("pkcs7_der", pkcs7.load_der_pkcs7_certificates),
    ],
)
def test_certificates_may_be_in_a_container_without_a_key(made, form, load):
    chain = [made("a"), made("b")]

    found = load(encoding.certificates(chain[0], chain[1:], form))

    assert {item.subject for item in found} == {item.subject for item in chain}


@pytest.mark.parametrize("form", encoding.PLAIN_ENCODINGS)
def test_a_public_key_or_a_certificate_is_encoded_as_it_is(key, made, form):
    load = serialization.load_pem_public_key if form == "pem" else serialization.load_der_public_key

    assert load(encoding.public(key.public_key(), form)) == key.public_key()
    assert encoding.public(made("a"), form)

import base64

import pytest

from salt_g import x509
from salt_g.errors import CommandExecutionError, InvocationError

KEY = x509.keys.generate("ec")
CERTIFICATE = x509.plans.certificate({"signing_private_key": KEY, "CN": "a"}).sign("sha256")


@pytest.mark.parametrize("encoding", ["pem", "der", "pkcs12"])
def test_a_private_key_comes_back_in_each_encoding(encoding):
    data = x509.encoding.private_key(KEY, encoding, "secret")

    key, found = x509.loading.private_key_and_encoding(data, "secret")

    assert found == encoding
    assert x509.keys.are_same(key.public_key(), KEY.public_key())


@pytest.mark.parametrize("encoding", ["pem", "der", "pkcs7_pem", "pkcs7_der"])
def test_a_certificate_comes_back_in_each_encoding(encoding):
    data = x509.encoding.certificates(CERTIFICATE, [] if encoding == "der" else [CERTIFICATE], encoding)

    bundle = x509.loading.bundle(data)

    assert (bundle.certificate, bundle.encoding) == (CERTIFICATE, encoding)


def test_a_container_brings_its_name_and_chain():
    data = x509.encoding.container(CERTIFICATE, [CERTIFICATE], KEY, passphrase="secret", name="web")

    bundle = x509.loading.bundle(data, "secret")

    assert (bundle.encoding, bundle.name, bundle.chain) == ("pkcs12", b"web", [CERTIFICATE])


@pytest.mark.parametrize(
    "text",
    [
        x509.encoding.public(CERTIFICATE).decode(),
        x509.encoding.public(CERTIFICATE).decode().replace("\n", ""),
        x509.encoding.public(CERTIFICATE, "der").hex(),
        base64.b64encode(x509.encoding.public(CERTIFICATE, "der")).decode(),
    ],
)
def test_text_may_be_a_reference(text):
    assert x509.loading.certificate(text) == CERTIFICATE


def test_passphrases_that_do_not_fit_are_distinguished():
    locked, free = x509.encoding.private_key(KEY, "pem", "a"), x509.encoding.private_key(KEY, "pem")

    with pytest.raises(x509.loading.WrongPassword):
        x509.loading.private_key(locked, "b")
    with pytest.raises(x509.loading.MissingPassword):
        x509.loading.private_key(locked)
    with pytest.raises(x509.loading.SuperfluousPassword):
        x509.loading.private_key(free, "a")


@pytest.mark.parametrize("encoding", ["pem", "der"])
def test_a_wrong_passphrase_that_decrypts_to_noise_is_a_wrong_passphrase(encoding):
    locked = x509.encoding.private_key(KEY, encoding, "right")
    # One in 256 has a valid padding: 2,000 miss all of them once in 2,500 runs.
    refused = set()

    for number in range(2000):
        try:
            x509.loading.private_key(locked, f"wrong {number}")
        except Exception as exc:
            refused.add(type(exc))

    assert refused == {x509.loading.WrongPassword}


def test_the_public_key_of_anything_is_found():
    request = x509.plans.request(KEY, None, {"CN": "a"}).sign("sha256")

    for reference in (KEY.public_key(), x509.encoding.private_key(KEY, "pem"), CERTIFICATE, request):
        found = x509.loading.any_public_key(
            reference if isinstance(reference, bytes) else x509.encoding.public(reference)
        )
        assert x509.keys.are_same(found, KEY.public_key())
    with pytest.raises(CommandExecutionError, match="Could not load key"):
        x509.loading.any_public_key("nothing")


def test_text_with_a_private_key_is_not_repeated_in_an_error():
    text = x509.encoding.private_key(KEY, "pem").decode()

    with pytest.raises(InvocationError) as caught:
        x509.pem.entry(text, "CERTIFICATE")

    assert "PRIVATE KEY" not in str(caught.value)


def test_a_path_object_is_a_reference_like_its_text(tmp_path):
    file = tmp_path / "key"
    file.write_bytes(x509.encoding.private_key(KEY, "pem"))

    for reference in (file, str(file)):
        assert x509.keys.are_same(x509.loading.private_key(reference).public_key(), KEY.public_key())

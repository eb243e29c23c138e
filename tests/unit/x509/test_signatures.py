"""Signatures of data by plain keys."""

import base64
import io

import pytest

from salt_g import x509

KEYS = {kind: x509.keys.generate(kind) for kind in ("rsa", "ec", "ed25519")}
DATA = b"text" * 1000


@pytest.mark.parametrize("kind", KEYS)
def test_a_signature_is_of_one_key_and_these_data(kind):
    private, public = KEYS[kind], KEYS[kind].public_key()
    signature = x509.signatures.sign(private, io.BytesIO(DATA), "sha256")

    x509.signatures.check(public, signature, DATA, "sha256")

    for key, data in ((public, DATA + b"."), (x509.keys.generate("ed25519").public_key(), DATA)):
        with pytest.raises(x509.signatures.BadSignature, match=x509.signatures.name_of(key)):
            x509.signatures.check(key, signature, data, "sha256")


@pytest.mark.parametrize(
    "write",
    [lambda raw: raw, bytes.hex, lambda raw: base64.b64encode(raw).decode()],
    ids=["raw", "hex", "base64"],
)
def test_a_signature_is_bytes_or_text(write):
    raw = x509.signatures.sign(KEYS["ed25519"], DATA, "sha256")

    assert x509.signatures.signature_of(write(raw)) == raw


def test_a_signature_may_be_in_a_file(tmp_path):
    raw = x509.signatures.sign(KEYS["ed25519"], DATA, "sha256")
    (tmp_path / "signature").write_bytes(raw)

    assert x509.signatures.signature_of(str(tmp_path / "signature")) == raw

"""Encodings of keys, certificates, requests and revocation lists.

Shapes: functions return bytes; `as_text` converts them for a job's return (PEM unchanged, others in base64).
"""

from __future__ import annotations

import base64
from collections.abc import Sequence
from typing import Any

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.serialization import pkcs7, pkcs12

CERTIFICATE_ENCODINGS = ("der", "pem", "pkcs7_der", "pkcs7_pem", "pkcs12")
KEY_ENCODINGS = ("der", "pem", "pkcs12")
#: Encodings of requests and revocation lists.
PLAIN_ENCODINGS = ("der", "pem")
#: Encodings that produce text.
TEXT_ENCODINGS = ("pem", "pkcs7_pem")
#: Number of iterations of the legacy encryption of PKCS#12.
_OLD_ROUNDS = 50_000


def as_text(data: bytes, encoding: str) -> str:
    """Return encoded bytes as text for a job's return: PEM unchanged, other encodings in base64."""
    return data.decode() if encoding in TEXT_ENCODINGS else base64.b64encode(data).decode()


def from_text(text: str, encoding: str) -> bytes:
    """Return the bytes for a text made by `as_text`."""
    return text.encode() if encoding in TEXT_ENCODINGS else base64.b64decode(text)


def public(thing: Any, encoding: str = "pem") -> bytes:
    """Encode a public key, certificate, request or revocation list."""
    form = serialization.Encoding.PEM if encoding == "pem" else serialization.Encoding.DER
    if hasattr(thing, "subject") or hasattr(thing, "issuer"):
        return bytes(thing.public_bytes(form))
    return bytes(thing.public_bytes(form, serialization.PublicFormat.SubjectPublicKeyInfo))


def private_key(key: Any, encoding: str, passphrase: str | None = None, *, compat: bool = False) -> bytes:
    """Encode a private key; `compat` selects the PKCS#12 encryption of legacy systems."""
    if encoding == "pkcs12":
        cipher = _pkcs12_cipher(passphrase, compat)
        return pkcs12.serialize_key_and_certificates(None, key, None, None, cipher)
    form = serialization.Encoding.PEM if encoding == "pem" else serialization.Encoding.DER
    cipher = _cipher(passphrase)
    return bytes(key.private_bytes(form, serialization.PrivateFormat.PKCS8, cipher))


def certificates(first: x509.Certificate, others: Sequence[x509.Certificate], encoding: str) -> bytes:
    """Encode certificates: concatenated (`pem`), only the first (`der`) or in a container (`pkcs7_…`)."""
    if encoding == "pem":
        return b"\n".join(public(certificate) for certificate in [first, *others])
    if encoding == "der":
        return public(first, "der")
    form = serialization.Encoding.PEM if encoding == "pkcs7_pem" else serialization.Encoding.DER
    return pkcs7.serialize_certificates([first, *others], form)


def container(
    first: x509.Certificate,
    others: Sequence[x509.Certificate],
    key: Any,
    *,
    passphrase: str | None = None,
    compat: bool = False,
    name: str | None = None,
) -> bytes:
    """Return a PKCS#12 container with a key and certificates."""
    return pkcs12.serialize_key_and_certificates(
        name.encode() if name else None, key, first, list(others), _pkcs12_cipher(passphrase, compat)
    )


def _cipher(passphrase: str | None) -> serialization.KeySerializationEncryption:
    if passphrase is None:
        return serialization.NoEncryption()
    return serialization.BestAvailableEncryption(str(passphrase).encode())


def _pkcs12_cipher(passphrase: str | None, compat: bool) -> serialization.KeySerializationEncryption:
    if passphrase is None or not compat:
        return _cipher(passphrase)
    return (
        serialization.PrivateFormat.PKCS12.encryption_builder()
        .kdf_rounds(_OLD_ROUNDS)
        .key_cert_algorithm(pkcs12.PBES.PBESv1SHA1And3KeyTripleDESCBC)
        .hmac_hash(hashes.SHA1())  # noqa: S303 - what older readers of PKCS #12 know
        .build(str(passphrase).encode())
    )

"""Detached signatures of data, made and checked with a bare key of X.509's types.

RSA signatures have PSS padding with MGF1 over the same digest; Ed25519 and Ed448 keys have a fixed digest.
Errors: InvalidSignature names the key by its fingerprint.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
from typing import Any

import cryptography.exceptions
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, padding

import salt_g.x509.keys as keys
from salt_g.errors import CommandExecutionError

_DIGESTS: dict[str, type[hashes.HashAlgorithm]] = {**keys.DIGESTS, "md5": hashes.MD5}


class InvalidSignature(CommandExecutionError):
    """A signature that a key has not made over these data."""

    def __init__(self, key: keys.PublicKey) -> None:
        super().__init__(f"Invalid signature for key {fingerprint(key)}")


def sign(key: Any, data: bytes, digest: str) -> bytes:
    """Return the signature of `data`; `digest` is ignored by keys with a fixed one."""
    if keys.kind(key) == "rsa":
        algorithm = _digest(digest)
        return bytes(key.sign(data, _pss(algorithm, padding.PSS.MAX_LENGTH), algorithm))
    if keys.kind(key) == "ec":
        return bytes(key.sign(data, ec.ECDSA(_digest(digest))))
    return bytes(key.sign(data))


def verify(key: Any, data: bytes, signature: bytes, digest: str) -> None:
    """Raise InvalidSignature unless `signature` was made over `data` with the private half of `key`."""
    try:
        if keys.kind(key) == "rsa":
            algorithm = _digest(digest)
            key.verify(signature, data, _pss(algorithm, padding.PSS.AUTO), algorithm)
        elif keys.kind(key) == "ec":
            key.verify(signature, data, ec.ECDSA(_digest(digest)))
        else:
            key.verify(signature, data)
    except cryptography.exceptions.InvalidSignature as exc:
        raise InvalidSignature(key) from exc


def decoded(content: bytes) -> bytes:
    """Return the bytes of a signature that may be in base64, with line breaks."""
    try:
        return base64.b64decode(b"".join(content.split()), validate=True)
    except binascii.Error:
        return content


def fingerprint(key: keys.PublicKey) -> str:
    """Return the SHA-256 of a public key's DER encoding, in hexadecimal."""
    form = serialization.PublicFormat.SubjectPublicKeyInfo
    return hashlib.sha256(key.public_bytes(serialization.Encoding.DER, form)).hexdigest()


def _digest(name: str) -> hashes.HashAlgorithm:
    if str(name).lower() not in _DIGESTS:
        raise CommandExecutionError(
            f"The selected hashing algorithm does not exist in the cryptography python library: {name!r}; "
            f"known are {', '.join(_DIGESTS)}"
        )
    return _DIGESTS[str(name).lower()]()


def _pss(algorithm: hashes.HashAlgorithm, salt_length: Any) -> padding.PSS:
    return padding.PSS(mgf=padding.MGF1(algorithm), salt_length=salt_length)

"""Signatures of data by plain keys, without certificates.

Shapes: data is bytes, or an open binary file, which is digested in pieces. RSA signs with PSS (MGF1 of the
same digest, the longest salt), ECDSA as usual; Ed25519 and Ed448 sign the data itself, so `digest` does not
apply to them. A key is named by the SHA-256 of its public DER form.
Source: `asymmetric` of Salt 3008, observed.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
from typing import IO, Any

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, padding, utils

import salt_g.x509.keys as keys
import salt_g.x509.loading as loading

#: Number of bytes read from a file at once.
_PIECE = 1024 * 1024


class BadSignature(Exception):
    """A signature that was not made by this key on this data."""


def sign(key: Any, data: bytes | IO[bytes], digest: str) -> bytes:
    """Sign data with a private key and return the signature."""
    algorithm = keys.digest_for(key, digest)
    if algorithm is None:
        return bytes(key.sign(_whole(data)))
    prehashed = utils.Prehashed(algorithm)
    if keys.kind(key) == "rsa":
        longest = padding.PSS(padding.MGF1(algorithm), padding.PSS.MAX_LENGTH)
        return bytes(key.sign(_digested(data, algorithm), longest, prehashed))
    return bytes(key.sign(_digested(data, algorithm), ec.ECDSA(prehashed)))


def check(key: Any, signature: bytes, data: bytes | IO[bytes], digest: str) -> None:
    """Raise BadSignature unless the private half of a public key signed this data."""
    algorithm = keys.digest_for(key, digest)
    try:
        if algorithm is None:
            key.verify(signature, _whole(data))
            return
        prehashed = utils.Prehashed(algorithm)
        if keys.kind(key) == "rsa":
            any_salt = padding.PSS(padding.MGF1(algorithm), padding.PSS.AUTO)
            key.verify(signature, _digested(data, algorithm), any_salt, prehashed)
        else:
            key.verify(signature, _digested(data, algorithm), ec.ECDSA(prehashed))
    except InvalidSignature:
        raise BadSignature(f"Invalid signature for key {name_of(key)}") from None


def name_of(key: Any) -> str:
    """Return the name of a public key for use in messages."""
    form = serialization.PublicFormat.SubjectPublicKeyInfo
    return hashlib.sha256(key.public_bytes(serialization.Encoding.DER, form)).hexdigest()


def signature_of(reference: Any) -> bytes:
    """Return a signature from a path, bytes, or hexadecimal or base64 text."""
    if isinstance(reference, str) and not loading.is_file(reference):
        return _decoded(reference.encode())
    data = loading.content(reference)
    return _decoded(data) if data.isascii() else data


def _decoded(text: bytes) -> bytes:
    words = b"".join(text.split())
    for decode in (binascii.unhexlify, lambda it: base64.b64decode(it, validate=True)):
        try:
            return bytes(decode(words))
        except binascii.Error:
            continue
    return text


def _whole(data: bytes | IO[bytes]) -> bytes:
    if isinstance(data, bytes):
        return data
    data.seek(0)
    return data.read()


def _digested(data: bytes | IO[bytes], algorithm: hashes.HashAlgorithm) -> bytes:
    running = hashes.Hash(algorithm)
    if isinstance(data, bytes):
        running.update(data)
    else:
        data.seek(0)
        while piece := data.read(_PIECE):
            running.update(piece)
    return running.finalize()

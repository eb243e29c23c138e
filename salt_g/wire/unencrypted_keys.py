"""Reader and writer of unprotected keys, in the two forms that minions and masters use.

The library's reader tries all formats and loads the code for protected keys, which costs half a MiB, and 0.1
ms per key. It remains the fallback for all other formats.
Errors: ValueError for malformed keys.
Source: RFC 8017, A.1 (PKCS#1); RFC 5280, 4.1 (SubjectPublicKeyInfo); RFC 3279, 2.3.1 (its algorithm).
"""

from __future__ import annotations

import binascii
import re
from typing import Any

from Crypto.PublicKey import RSA
from Crypto.Util.asn1 import DerBitString, DerSequence

_PEM = re.compile(
    r"\s*-----BEGIN (?P<kind>PUBLIC KEY|RSA PRIVATE KEY)-----\s(?P<body>[A-Za-z0-9+/\s]+={0,2})\s+"
    r"-----END (?P=kind)-----\s*"
)
#: `rsaEncryption` without parameters, in DER.
_ALGORITHM = bytes.fromhex("300d06092a864886f70d0101010500")
#: Largest modulus of a private key, in bits; longer ones are refused before any arithmetic.
_MAX_BITS = 16384
#: Tags of DER.
_INTEGER, _BITS, _SEQUENCE = 0x02, 0x03, 0x30


def read_public_numbers(pem: str) -> tuple[int, int] | None:
    """Return (modulus, exponent) of a public key in its usual form, or None for any other text.

    A text has the usual form if encoding its numbers again gives the same bytes. The library's reader, which
    makes an object for each part, takes ten times as long, and a master reads a key for each sign-in.
    """
    found = _PEM.fullmatch(pem)
    if found is None or found["kind"] != "PUBLIC KEY":
        return None
    try:
        der = binascii.a2b_base64(found["body"])
        start, _ = _contents(der, 0)
        start, _ = _contents(der, start + len(_ALGORITHM))
        start, _ = _contents(der, start + 1)
        first, behind = _contents(der, start)
        second, end = _contents(der, behind)
    except (ValueError, IndexError):
        return None
    modulus, exponent = int.from_bytes(der[first:behind], "big"), int.from_bytes(der[second:end], "big")
    return (modulus, exponent) if der == _public_der(modulus, exponent) else None


def _contents(der: bytes, start: int) -> tuple[int, int]:
    """Return the (start, end) of a DER element's contents; raise IndexError past the end of the data."""
    length = der[start + 1]
    start += 2
    if length & 0x80:
        size = length & 0x7F
        length = int.from_bytes(der[start : start + size], "big")
        start += size
    return start, start + length


def _public_der(modulus: int, exponent: int) -> bytes:
    numbers = _element(_SEQUENCE, _integer(modulus) + _integer(exponent))
    return _element(_SEQUENCE, _ALGORITHM + _element(_BITS, b"\0" + numbers))


def _integer(number: int) -> bytes:
    """Return a positive integer in DER; its first bit is the sign."""
    return _element(_INTEGER, number.to_bytes(number.bit_length() // 8 + 1, "big"))


def _element(tag: int, contents: bytes) -> bytes:
    length = len(contents)
    if length < 0x80:
        return bytes((tag, length)) + contents
    size = length.to_bytes((length.bit_length() + 7) // 8, "big")
    return bytes((tag, 0x80 | len(size))) + size + contents


def read_plain(pem: str) -> RSA.RsaKey | None:
    """Return the key, or None for a text in another format."""
    found = _PEM.fullmatch(pem)
    if found is None:
        return None
    der = binascii.a2b_base64(found["body"])
    if found["kind"] == "PUBLIC KEY":
        algorithm, text = _sequence(der, 2)
        if algorithm != _ALGORITHM:
            return None
        return RSA.construct(_sequence(DerBitString().decode(text, strict=True).value, 2))
    version, *numbers = _sequence(der, 9, only_ints_expected=True)
    return _private_key(*numbers[:5]) if version == 0 else None


def _private_key(n: int, e: int, d: int, p: int, q: int) -> RSA.RsaKey:
    """Return the key of these numbers (RFC 8017, 3.2); raise ValueError if they do not match.

    The library would also test whether `p` and `q` are primes, which takes 50 ms; damage to a file already
    shows in these equations.
    """
    if n.bit_length() > _MAX_BITS:
        raise ValueError(f"it has {n.bit_length()} bits")
    in_range = 2 < e < n and 1 < d < n and 2 < p < n and n & 1
    if not in_range or p * q != n or (e * d - 1) % (p - 1) or (e * d - 1) % (q - 1):
        raise ValueError("its numbers do not match each other")
    return RSA.construct((n, e, d, p, q), consistency_check=False)


def public_pem(key: RSA.RsaKey) -> str:
    """Return the PEM text of the public half."""
    body = binascii.b2a_base64(_public_der(int(key.n), int(key.e)), newline=False).decode("ascii")
    lines = [body[start : start + 64] for start in range(0, len(body), 64)]
    return "\n".join(["-----BEGIN PUBLIC KEY-----", *lines, "-----END PUBLIC KEY-----"])


def _sequence(der: bytes, length: int, **kinds: bool) -> list[Any]:
    sequence: Any = DerSequence().decode(der, strict=True, nr_elements=length, **kinds)
    return list(sequence)

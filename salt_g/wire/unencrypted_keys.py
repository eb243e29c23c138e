"""Reader and writer of unprotected keys, in the two forms that minions and masters use.

The library's reader tries all formats and loads the code for protected keys, half a MiB and 0.1 ms per
key. It remains the fallback for all other formats.
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
    version, *numbers = _sequence(der, 9)
    return RSA.construct(numbers[:5]) if version == 0 else None


def public_pem(key: RSA.RsaKey) -> str:
    """Return the PEM text of the public half."""
    numbers = DerSequence([key.n, key.e]).encode()
    der = DerSequence([_ALGORITHM, DerBitString(numbers).encode()]).encode()
    body = binascii.b2a_base64(der, newline=False).decode("ascii")
    lines = [body[start : start + 64] for start in range(0, len(body), 64)]
    return "\n".join(["-----BEGIN PUBLIC KEY-----", *lines, "-----END PUBLIC KEY-----"])


def _sequence(der: bytes, length: int) -> list[Any]:
    sequence: Any = DerSequence().decode(der, strict=True, nr_elements=length)
    return list(sequence)

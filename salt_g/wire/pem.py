"""PEM texts of keys: cleaning, comparison, fingerprints.

This module uses no cryptography library, which would take 25 ms to load, because listing and moving keys does
not need one.
Source: wire specification, section 5.1.
"""

from __future__ import annotations

import hashlib

from salt_g.errors import WireError

#: Longest accepted PEM text of a public key; one of 8192 bits has 1410 characters.
MAX_PEM = 4096


def clean_pem(pem: str | bytes) -> str:
    """Return PEM text in the canonical form for transfer and comparison."""
    if isinstance(pem, bytes):
        try:
            pem = pem.decode("ascii")
        except UnicodeDecodeError as exc:
            raise WireError("a key is not PEM text") from exc
    return "\n".join(line.strip() for line in pem.strip().splitlines())


def fingerprint(pem: str, hash_type: str = "sha256") -> str:
    """Return the fingerprint of a public key: hex pairs with colons, over the lines between BEGIN and END."""
    body = "".join(line + "\n" for line in clean_pem(pem).splitlines()[1:-1])
    digest = hashlib.new(hash_type, body.encode("ascii")).hexdigest()
    return ":".join(digest[place : place + 2] for place in range(0, len(digest), 2))

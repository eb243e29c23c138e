"""PEM texts of keys as text: cleaned, compared, told by their fingers.

Why its own file: listing and moving keys needs no cryptography, whose library takes 25 ms to load.
Source: wire specification, section 5.1.
"""

from __future__ import annotations

import hashlib

from salt_g.errors import WireError

#: Longest PEM text of a public key that is read; one of 8192 bits has 1410 characters.
MAX_PEM = 4096


def clean_pem(pem: str | bytes) -> str:
    """Return PEM text in the form in which it travels and is compared."""
    if isinstance(pem, bytes):
        try:
            pem = pem.decode("ascii")
        except UnicodeDecodeError as exc:
            raise WireError("a key is not PEM text") from exc
    return "\n".join(line.strip() for line in pem.strip().splitlines())


def fingerprint(pem: str, hash_type: str = "sha256") -> str:
    """Return the finger of a public key: hex pairs with colons, over the lines between BEGIN and END."""
    body = "".join(line + "\n" for line in clean_pem(pem).splitlines()[1:-1])
    digest = hashlib.new(hash_type, body.encode("ascii")).hexdigest()
    return ":".join(digest[place : place + 2] for place in range(0, len(digest), 2))

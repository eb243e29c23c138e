"""Certificates that name a version of X.509 which never was, as Salt made them until 2014.

Why its own file: the library reads none of them, so the version is found and mended in the bytes.
"""

from __future__ import annotations

import base64
from typing import Any

from cryptography import x509

import salt_g.x509.keys as keys
import salt_g.x509.pem as pem

#: The version field at the beginning of a certificate: [0] INTEGER 3 says "fourth", 2 is the third and last.
_FOURTH, _THIRD = b"\xa0\x03\x02\x01\x03", b"\xa0\x03\x02\x01\x02"
#: The two headers before that field take at most this many bytes.
_HEADERS = 12


def with_third_version(text: str) -> bytes | None:
    """Return DER of a certificate with the version mended, None when it was right; its signature is void."""
    body = "".join(line for line in pem.entry(text, "CERTIFICATE").splitlines() if "-----" not in line)
    data = base64.b64decode(body)
    place = data.find(_FOURTH, 0, _HEADERS + len(_FOURTH))
    return None if place < 0 else data[:place] + _THIRD + data[place + len(_THIRD) :]


def signed_again(found: x509.Certificate, key: Any) -> x509.Certificate:
    """Return a certificate that says the same, signed by a key."""
    builder = (
        x509.CertificateBuilder()
        .subject_name(found.subject)
        .issuer_name(found.issuer)
        .public_key(found.public_key())
        .serial_number(found.serial_number)
        .not_valid_before(found.not_valid_before_utc)
        .not_valid_after(found.not_valid_after_utc)
    )
    for extension in found.extensions:
        builder = builder.add_extension(extension.value, extension.critical)
    return builder.sign(key, keys.digest_for(key, "sha256"))

"""Certificates with a nonexistent X.509 version, as created by Salt until 2014.

The library cannot read such certificates, so the version is located and corrected in the bytes.
"""

from __future__ import annotations

import base64
from typing import Any

from cryptography import x509

import salt_g.x509.keys as keys
import salt_g.x509.pem as pem

#: Version fields at the beginning of a certificate: [0] INTEGER 3 means the invalid fourth version, 2 means
#: the third, which is the last valid one.
_FOURTH, _THIRD = b"\xa0\x03\x02\x01\x03", b"\xa0\x03\x02\x01\x02"
#: Maximum size of the two headers before the version field (bytes).
_HEADERS = 12


def with_third_version(text: str) -> bytes | None:
    """Return DER with the version corrected, or None if it was correct; the signature becomes invalid."""
    body = "".join(line for line in pem.entry(text, "CERTIFICATE").splitlines() if "-----" not in line)
    data = base64.b64decode(body)
    place = data.find(_FOURTH, 0, _HEADERS + len(_FOURTH))
    return None if place < 0 else data[:place] + _THIRD + data[place + len(_THIRD) :]


def re_signed(found: x509.Certificate, key: Any) -> x509.Certificate:
    """Return a certificate with the same content, signed by a key."""
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

"""Certificates with a version number that does not exist."""

import base64

from salt_g import x509


def _pem(data):
    return f"-----BEGIN CERTIFICATE-----\n{base64.encodebytes(data).decode()}-----END CERTIFICATE-----\n"


def test_a_certificate_of_a_fourth_version_is_signed_again_as_one_of_the_third():
    key = x509.keys.generate("ec")
    made = x509.plans.certificate({"signing_private_key": key, "CN": "ca", "days_valid": 3}).sign("sha256")
    data = x509.encoding.public(made, "der")
    wrong = data.replace(b"\xa0\x03\x02\x01\x02", b"\xa0\x03\x02\x01\x03", 1)

    mended = x509.loading.certificate(x509.legacy_versions.with_third_version(_pem(wrong)))
    again = x509.legacy_versions.re_signed(mended, key)

    assert again.subject == made.subject
    assert again.serial_number == made.serial_number
    assert x509.keys.has_signed(key.public_key(), again)
    assert x509.legacy_versions.with_third_version(_pem(data)) is None

"""Certificates made with OpenSSL's library, as the setting `ssl` of a master or a minion."""

from __future__ import annotations

import datetime
import ipaddress
import pathlib
from typing import Any

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID


def tls_settings(place: pathlib.Path, *, days: int = 1, **more: Any) -> dict[str, Any]:
    """Return settings for both sides: a certificate of a new authority below `place`, which both trust.

    It expires in `days`; a negative number makes an expired one.
    """
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "master")])
    now = datetime.datetime.now(datetime.timezone.utc)
    made = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=10))
        .not_valid_after(now + datetime.timedelta(days=days))
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .add_extension(
            x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]),
            critical=False,
        )
        .sign(key, hashes.SHA256())
    )
    private = key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )
    (place / "crt").write_bytes(made.public_bytes(serialization.Encoding.PEM))
    (place / "key").write_bytes(private)
    files = {"certfile": str(place / "crt"), "keyfile": str(place / "key")}
    return {**files, "ca_certs": str(place / "crt"), "cert_reqs": "CERT_REQUIRED", **more}

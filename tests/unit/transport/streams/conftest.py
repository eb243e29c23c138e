"""Certificates of a master and a minion, made with openssl's library."""

import datetime
import ipaddress
import itertools

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from salt_g.process.supervisor import Supervisor


@pytest.fixture(scope="session")
def tls_settings(tmp_path_factory):
    """Factory: settings `ssl` with a certificate of a new authority, which both sides trust."""
    numbers = itertools.count()

    def make(**more):
        place = tmp_path_factory.mktemp(f"tls{next(numbers)}")
        key = ec.generate_private_key(ec.SECP256R1())
        name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "master")])
        now = datetime.datetime.now(datetime.timezone.utc)
        made = (
            x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
            .not_valid_before(now - datetime.timedelta(days=1))
            .not_valid_after(now + datetime.timedelta(days=1))
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

    return make


@pytest.fixture
def supervisor():
    """Owner of greenlets, which ends them."""
    family = Supervisor("test")
    yield family
    family.stop()

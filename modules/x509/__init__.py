"""X.509 certificates: keys, requests, certificates, revocation lists.

Begin with `certificates.py`; the parts of certificates are in `salt_g.x509`. Its library, cryptography,
comes with the extra `salt-g[x509]`. Arguments that refer to a key or certificate take a path, PEM text,
hexadecimal or base64.
Source: the `x509` functions of Salt 3008 (`x509_v2`), old keywords included.
"""

from __future__ import annotations

from salt_g import x509
from salt_g.modules.x509.certificates import create_certificate, encode_certificate
from salt_g.modules.x509.keys import (
    create_private_key,
    encode_private_key,
    get_private_key_size,
    get_public_key,
    verify_private_key,
)
from salt_g.modules.x509.pems import get_pem_entries, get_pem_entry, write_pem
from salt_g.modules.x509.reading import (
    expired,
    expires,
    read_certificate,
    read_certificates,
    read_crl,
    read_csr,
    verify_crl,
    verify_signature,
    will_expire,
)
from salt_g.modules.x509.requests import create_csr, encode_csr
from salt_g.modules.x509.revocation import create_crl, encode_crl
from salt_g.modules.x509.signing import get_signing_policy, sign_remote_certificate

create_certificate_ssh = create_certificate

__all__ = [
    "create_certificate",
    "create_certificate_ssh",
    "create_crl",
    "create_csr",
    "create_private_key",
    "encode_certificate",
    "encode_crl",
    "encode_csr",
    "encode_private_key",
    "expired",
    "expires",
    "get_pem_entries",
    "get_pem_entry",
    "get_private_key_size",
    "get_public_key",
    "get_signing_policy",
    "read_certificate",
    "read_certificates",
    "read_crl",
    "read_csr",
    "sign_remote_certificate",
    "verify_crl",
    "verify_private_key",
    "verify_signature",
    "will_expire",
    "write_pem",
]


def __virtual__() -> bool | tuple[bool, str]:
    return True if x509.is_available() else (False, x509.MISSING)

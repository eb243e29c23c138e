"""OpenSSH keys and certificates for users and hosts.

Begin with `certificates.py`; the parts of certificates are in `salt_g.x509.ssh`. The libraries come with the
extra `salt-g[x509]`. Arguments that refer to a key or certificate take a path or its text.
Source: the `ssh_pki` functions of Salt 3008.
"""

from __future__ import annotations

from salt_g import x509
from salt_g.modules.ssh_pki.certificates import (
    create_certificate,
    expires,
    read_certificate,
    verify_signature,
)
from salt_g.modules.ssh_pki.keys import (
    create_private_key,
    encode_private_key,
    get_private_key_size,
    get_public_key,
    verify_private_key,
)
from salt_g.modules.ssh_pki.signing import get_signing_policy, sign_remote_certificate

create_certificate_ssh = create_certificate

__all__ = [
    "create_certificate",
    "create_certificate_ssh",
    "create_private_key",
    "encode_private_key",
    "expires",
    "get_private_key_size",
    "get_public_key",
    "get_signing_policy",
    "read_certificate",
    "sign_remote_certificate",
    "verify_private_key",
    "verify_signature",
]


def __virtual__() -> bool | tuple[bool, str]:
    return True if x509.is_available() else (False, x509.MISSING)

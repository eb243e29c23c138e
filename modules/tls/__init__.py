"""A small certificate authority in a directory, and inspection of certificates.

Begin with `_directory.py`, which defines the layout: each authority has a directory below the setting
`ca.cert_base_path` (/etc/pki). The argument `cacert_path` replaces that directory for the rest of the call or
state run. `salt_g.x509` creates the certificates; its library, cryptography, comes with the extra
`salt-g[x509]`.
Source: the `tls` module of Salt 3006.
"""

from __future__ import annotations

from salt_g import x509
from salt_g.modules.tls._directory import cert_base_path, set_ca_path
from salt_g.modules.tls.authority import (
    ca_exists,
    create_ca,
    get_ca,
    get_ca_signed_cert,
    get_ca_signed_key,
    maybe_fix_ssl_version,
)
from salt_g.modules.tls.certificates import (
    create_ca_signed_cert,
    create_csr,
    create_pkcs12,
    create_self_signed_cert,
    get_extensions,
)
from salt_g.modules.tls.inspect import cert_info, get_expiration_date, validate
from salt_g.modules.tls.revocation import create_empty_crl, revoke_cert

__all__ = [
    "ca_exists",
    "cert_base_path",
    "cert_info",
    "create_ca",
    "create_ca_signed_cert",
    "create_csr",
    "create_empty_crl",
    "create_pkcs12",
    "create_self_signed_cert",
    "get_ca",
    "get_ca_signed_cert",
    "get_ca_signed_key",
    "get_expiration_date",
    "get_extensions",
    "maybe_fix_ssl_version",
    "revoke_cert",
    "set_ca_path",
    "validate",
]


def __virtual__() -> bool | tuple[bool, str]:
    return True if x509.is_available() else (False, x509.MISSING)

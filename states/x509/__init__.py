"""States of X.509 keys, requests, certificates and revocation lists.

Begin with `states/_file_lifecycle.py`, the process common to all of them. The library comes with the extra
`salt-g[x509]`.
Source: the `x509` states of Salt 3008 (`x509_v2`), old keywords included.
"""

from __future__ import annotations

from salt_g import x509
from salt_g.states.x509.certificate import certificate_managed, certificate_managed_ssh
from salt_g.states.x509.crl import crl_managed
from salt_g.states.x509.csr import csr_managed
from salt_g.states.x509.pem import pem_managed
from salt_g.states.x509.private_key import private_key_managed, private_key_managed_ssh

__all__ = [
    "certificate_managed",
    "certificate_managed_ssh",
    "crl_managed",
    "csr_managed",
    "pem_managed",
    "private_key_managed",
    "private_key_managed_ssh",
]


def __virtual__() -> bool | tuple[bool, str]:
    return True if x509.is_available() else (False, x509.MISSING)

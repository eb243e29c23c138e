"""States of OpenSSH keys and certificates.

Begin with `states/_file_lifecycle.py`, the process common to all of them. The library comes with the extra
`salt-g[x509]`.
Source: the `ssh_pki` states of Salt 3008.
"""

from __future__ import annotations

from salt_g import x509
from salt_g.states.ssh_pki.certificate import certificate_managed, certificate_managed_ssh
from salt_g.states.ssh_pki.private_key import private_key_managed, private_key_managed_ssh
from salt_g.states.ssh_pki.public_key import public_key_managed

__all__ = [
    "certificate_managed",
    "certificate_managed_ssh",
    "private_key_managed",
    "private_key_managed_ssh",
    "public_key_managed",
]


def __virtual__() -> bool | tuple[bool, str]:
    return True if x509.is_available() else (False, x509.MISSING)

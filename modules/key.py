"""Fingerprints of this minion's key and of the master's key that it trusts.

Before a minion's key is accepted, compare `key.finger` with the output of `salt-g key -f ID` on the master.

Shapes: hex pairs with colons; '' if there is no such key yet.
"""

from __future__ import annotations

import os

from salt_g.api import opts
from salt_g.wire.pem import fingerprint


def finger(hash_type: str | None = None) -> str:
    """Return the fingerprint of this minion's public key, as `salt-g key -f` shows it on the master.

    hash_type
        A digest of hashlib; by default that of the setting `hash_type`.

    Example::

        salt-g key.finger
    """
    return _finger("minion.pub", hash_type)


def finger_master(hash_type: str | None = None) -> str:
    """Return the fingerprint of the master's key that this minion trusts, the value for `master_finger`.

    hash_type
        A digest of hashlib; by default that of the setting `hash_type`.

    Example::

        salt-g key.finger_master
    """
    return _finger("minion_master.pub", hash_type)


def _finger(name: str, hash_type: str | None) -> str:
    try:
        with open(os.path.join(opts["pki_dir"], name), encoding="ascii", errors="replace") as file:
            pem = file.read()
    except FileNotFoundError:
        return ""
    return fingerprint(pem, hash_type or opts["hash_type"])

"""Identity of this master: its key pair, and the signing key that certifies it.

Created once at the start, used at every sign-in.
Errors: WireError, KeysError, OSError for keys that cannot be read or created, so the master does not start.
Source: wire specification, sections 5.1, 5.3 and 14.
"""

from __future__ import annotations

import base64
import functools
import logging
import os
from collections.abc import Callable

from salt_g.errors import KeysError
from salt_g.keys import pair
from salt_g.master.settings import MasterIdentitySettings
from salt_g.wire.auth_server import MasterIdentity, sign_master_key
from salt_g.wire.rsa import PrivateKey

log = logging.getLogger(__name__)

#: Name of the master's key pair in `pki_dir`.
NAME = "master"
#: Suffix of the file name of an externally created signature, used with `master_use_pubkey_signature`.
SIGNATURE_SUFFIX = "_pubkey_signature"


def load_identity(settings: MasterIdentitySettings, publish_port: int) -> MasterIdentity:
    """Return the master's identity; create its key pair (and the signing pair) at the first start."""
    directory = settings.pki_dir
    key = pair.load_or_make(directory, NAME, bits=settings.keysize, passphrase=settings.key_pass)
    return MasterIdentity(key, publish_port, _key_signature(settings, key))


def warm_up(identity: MasterIdentity) -> None:
    """Switch private RSA operations to OpenSSL if it is installed.

    Not part of `load_identity`, which runs in a native thread: this imports modules, and import locks belong
    to the hub.
    """
    log.debug("private RSA operations by %s", "OpenSSL" if identity.key.warm_up() else "pycryptodome")


def _key_signature(settings: MasterIdentitySettings, key: PrivateKey) -> Callable[[str], bytes]:
    """Return a function that returns the key's signature by an algorithm, b'' if keys are not signed."""
    if not settings.master_sign_pubkey:
        return lambda sig_algo: b""
    if settings.master_use_pubkey_signature:
        made = _read_signature(settings)
        return lambda sig_algo: made
    signing = pair.load_or_make(
        settings.pki_dir,
        settings.master_sign_key_name,
        bits=settings.keysize,
        passphrase=settings.signing_key_pass,
    )
    # Cached, because the signature is the same for all minions: one RSA operation per algorithm.
    return functools.lru_cache(maxsize=8)(lambda sig_algo: sign_master_key(key.public, signing, sig_algo))


def _read_signature(settings: MasterIdentitySettings) -> bytes:
    name = settings.master_pubkey_signature or f"{settings.id}{SIGNATURE_SUFFIX}"
    path = os.path.join(settings.pki_dir, name)
    try:
        with open(path, "rb") as file:
            signature = base64.b64decode(b"".join(file.read().split()), validate=True)
        if not signature:
            raise ValueError("the file is empty")
        return signature
    except (OSError, ValueError) as exc:
        raise KeysError(path, f"holds no signature of the master's key: {exc}") from exc

"""Our own key pairs on disk: a master's, a minion's, a signing key.

Daemons create theirs at the first start, operators create them for others.
Units: `bits` of the modulus; generating 2048 bits takes 30 ms to seconds, so daemons offload it.
Errors: WireError for a file without a key; OSError of the disk.
"""

from __future__ import annotations

import os

from salt_g.errors import KeysError
from salt_g.process import disk
from salt_g.wire.ids import is_valid_id, misread
from salt_g.wire.pem import fingerprint
from salt_g.wire.rsa import PrivateKey

#: Mode of a private key: not even its owner may change it.
PRIVATE_KEY_MODE = 0o400


def load_or_make(directory: str, name: str, *, bits: int = 2048, passphrase: str | None = None) -> PrivateKey:
    """Load the key pair `<name>.pem`, or create it; `<name>.pub` is rewritten to match."""
    # A pair is named after the id that it is for, or by an operator; both become file names.
    if not is_valid_id(name) or misread(name):
        raise KeysError(directory, f"{name!r} cannot be the name of a key pair")
    path = os.path.join(directory, f"{name}.pem")
    try:
        with open(path, "rb") as file:
            key = PrivateKey(file.read(), passphrase)
    except FileNotFoundError:
        disk.make_private_directory(directory)
        key = PrivateKey.generate(bits)
        try:
            disk.write_first(path, key.to_pem(passphrase) + "\n", mode=PRIVATE_KEY_MODE)
        except FileExistsError:
            # A daemon and a call that start together are one minion: the first one's key wins.
            return load_or_make(directory, name, bits=bits, passphrase=passphrase)
    _make_public(os.path.join(directory, f"{name}.pub"), key.public.pem + "\n")
    return key


def gen_keys(
    directory: str, name: str, *, bits: int = 2048, passphrase: str | None = None, hash_type: str = "sha256"
) -> str:
    """Create a key pair unless it exists; return the fingerprint of its public key."""
    key = load_or_make(directory, name, bits=bits, passphrase=passphrase)
    return fingerprint(key.public.pem, hash_type)


def _make_public(path: str, text: str) -> None:
    try:
        with open(path, encoding="ascii", errors="replace") as file:
            if file.read().strip() == text.strip():
                return
    except FileNotFoundError:
        pass
    disk.write_whole(path, text)

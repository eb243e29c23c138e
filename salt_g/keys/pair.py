"""Our own key pairs on disk: for a master, for a minion, for signing.

Daemons create their key pairs at the first start; operators create key pairs for other hosts.
Units: `bits` of the modulus; generating 2048 bits takes 30 ms to seconds, so daemons offload it.
Errors: KeysError for a file without a usable key; OSError if the disk fails.
"""

from __future__ import annotations

import logging
import os
import stat
from typing import BinaryIO

from salt_g.errors import KeysError, WireError
from salt_g.process import disk
from salt_g.wire.ids import is_valid_id, misread
from salt_g.wire.pem import fingerprint
from salt_g.wire.rsa import PrivateKey

log = logging.getLogger(__name__)

#: Mode of a private key: not even its owner may change it.
PRIVATE_KEY_MODE = 0o400
_PASSPHRASE = (
    "correct the passphrase (key_pass, signing_key_pass of the master), or restore the file from a backup"
)
_RESTORE = (
    "restore it from a backup, or move it away for a new key, which the other side has to accept anew"
    " (a minion's: salt-g key -d ID on the master; a master's: remove minion_master.pub on each minion)"
)


def load_or_make(directory: str, name: str, *, bits: int = 2048, passphrase: str | None = None) -> PrivateKey:
    """Load the private key `<name>.pem`, or create it; update `<name>.pub` if it does not match."""
    # The name is an id, or one that an operator chose, and becomes part of file names.
    if not is_valid_id(name) or misread(name):
        raise KeysError(directory, f"{name!r} cannot be the name of a key pair")
    path = os.path.join(directory, f"{name}.pem")
    try:
        with open(path, "rb") as file:
            key = _read_private(path, file, passphrase)
    except FileNotFoundError:
        disk.make_private_directory(directory)
        key = PrivateKey.generate(bits)
        try:
            disk.write_first(path, key.to_pem(passphrase) + "\n", mode=PRIVATE_KEY_MODE)
        except FileExistsError:
            # Another daemon or call of the same minion, started at the same time, was first, so its key is
            # used.
            return load_or_make(directory, name, bits=bits, passphrase=passphrase)
    _make_public(os.path.join(directory, f"{name}.pub"), key.public.pem + "\n")
    return key


def _read_private(path: str, file: BinaryIO, passphrase: str | None) -> PrivateKey:
    """Return the private key in an open file; raises KeysError."""
    content = file.read()
    if not content.strip():
        raise KeysError(path, f"the file is empty: {_RESTORE}")
    try:
        return PrivateKey(content, passphrase)
    except WireError as exc:
        raise KeysError(path, f"{exc}: {_PASSPHRASE if b'ENCRYPTED' in content else _RESTORE}") from exc


def log_if_readable(directory: str, name: str) -> None:
    """Log a warning if other users can read a private key; loading cannot log, as it may run in a thread."""
    path = os.path.join(directory, f"{name}.pem")
    mode = stat.S_IMODE(os.stat(path).st_mode)
    if mode & 0o077:
        log.warning("%s has mode %04o: other users can read it: chmod 400 %s", path, mode, path)


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

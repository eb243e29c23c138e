"""Who this minion is and which master it believes: the files of its `pki_dir`.

Why its own file: the key pair and the cached key of the master are read by the channel of every
master and by every program of this minion; only a sign-in that proved itself changes them.
Shapes: `minion.pem`, `minion.pub`, `minion_master.pub`; put there by hand, `<master_sign_key_name>.pub`; by
`salt-g install`, `invitation`.
Units: making a key pair takes up to seconds, `make_tok` one RSA operation: both are offloaded.
Errors: KeysError with the path for keys that cannot be used.
Source: wire specification, sections 5.1, 5.4 and 14.
"""

from __future__ import annotations

import contextlib
import logging
import os
from collections.abc import Mapping
from typing import Any

from salt_g.errors import ConfigError, KeysError, WireError
from salt_g.keys.pair import load_or_make
from salt_g.process import disk
from salt_g.process.offload import offload
from salt_g.wire.auth_client import Trust
from salt_g.wire.ids import RULE, is_valid_id, misread
from salt_g.wire.invitation import Code, read_code
from salt_g.wire.requests import make_tok
from salt_g.wire.rsa import PrivateKey, PublicKey

log = logging.getLogger(__name__)

#: The master's key as the first sign-in brought it.
MASTER_FILE = "minion_master.pub"
#: A one-time code that a master gave, until it has let this minion in.
INVITATION_FILE = "invitation"


class MinionIdentity:
    """A minion's id, its key pair, and what it knows of its master."""

    def __init__(self, opts: Mapping[str, Any], key: PrivateKey, tok: bytes) -> None:
        if not is_valid_id(opts["id"]):
            raise ConfigError([f"id: {str(opts['id'])[:64]!r} cannot be an id: {RULE}"])
        self.id = str(opts["id"])
        self.key = key
        self.tok = tok
        self._opts = opts
        self._master_path = os.path.join(str(opts["pki_dir"]), MASTER_FILE)
        self._check_reading()
        self._invitation_path = os.path.join(str(opts["pki_dir"]), INVITATION_FILE)

    def _check_reading(self) -> None:
        """Refuse an id that targets misread; one that a master has let in before goes on, and is logged."""
        why = misread(self.id)
        if why and not os.path.exists(self._master_path):
            raise ConfigError([f"id: targets would misread {self.id!r}: {why}; set another `id:`"])
        if why:
            log.warning("targets misread the id %r: %s; give this minion another one", self.id, why)

    def trust(self) -> Trust:
        """Return what is known of the master now; somebody may have removed the cached key."""
        return Trust(
            known=_read_public(self._master_path),
            signer=self._signer(),
            always_verify_signature=bool(self._opts.get("always_verify_signature")),
            finger=str(self._opts.get("master_finger") or ""),
            hash_type=str(self._opts.get("hash_type") or "sha256"),
        )

    def remember(self, master: PublicKey) -> None:
        """Keep the key of a master that has proven itself."""
        log.info("%s: this is the master's key from now on", self._master_path)
        disk.write_whole(self._master_path, master.pem + "\n")

    def invitation(self) -> Code | None:
        """Return the code that an operator left here, None when there is none."""
        try:
            with open(self._invitation_path, encoding="ascii", errors="replace") as file:
                return read_code(file.read(100))
        except FileNotFoundError:
            return None
        except WireError as exc:
            log.warning("%s is not used: %s", self._invitation_path, exc)
            return None

    def forget_invitation(self) -> None:
        """Remove the code: this minion was let in."""
        with contextlib.suppress(FileNotFoundError):
            os.unlink(self._invitation_path)

    def _signer(self) -> PublicKey | None:
        if not self._opts.get("verify_master_pubkey_sign"):
            return None
        name = f"{self._opts.get('master_sign_key_name') or 'master_sign'}.pub"
        path = os.path.join(str(self._opts["pki_dir"]), name)
        signer = _read_public(path)
        if signer is None:
            raise KeysError(path, "verify_master_pubkey_sign is set, but the signing key is not there")
        return signer


def load_identity(opts: Mapping[str, Any]) -> MinionIdentity:
    """Return this minion's identity; the first time its key pair is made."""
    key, tok = offload(_load, str(opts["pki_dir"]), int(opts.get("keysize") or 2048))
    return MinionIdentity(opts, key, tok)


def _load(directory: str, bits: int) -> tuple[PrivateKey, bytes]:
    key = load_or_make(directory, "minion", bits=bits)
    return key, make_tok(key)


def _read_public(path: str) -> PublicKey | None:
    try:
        with open(path, "rb") as file:
            return PublicKey(file.read())
    except FileNotFoundError:
        return None
    except WireError as exc:
        raise KeysError(path, f"it is not a public key: {exc}") from exc

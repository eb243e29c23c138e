"""Identity of this minion and of its trusted master, stored in files below `pki_dir`.

The key pair and the cached key of the master are read by the channel of every master and by every program of
this minion; only an authenticated sign-in changes the cached key.
Shapes: the files are `minion.pem`, `minion.pub` and `minion_master.pub`; an operator may add
`<master_sign_key_name>.pub`, and `salt-g install` may add `invitation`.
Bounds: generating a key pair can take seconds, and `make_tok` is an RSA operation, so both are offloaded.
Errors: KeysError with the path for unusable keys.
Source: wire specification, sections 5.1, 5.4 and 14.
"""

from __future__ import annotations

import contextlib
import logging
import os

from salt_g.errors import ConfigError, KeysError, WireError
from salt_g.keys.pair import load_or_make
from salt_g.minion.settings import IdentitySettings
from salt_g.process import disk
from salt_g.process.offload import offload
from salt_g.wire.auth_client import Trust
from salt_g.wire.ids import misread
from salt_g.wire.invitation import Code, read_code
from salt_g.wire.requests import make_tok
from salt_g.wire.rsa import PrivateKey, PublicKey, load_openssl

log = logging.getLogger(__name__)

#: File with the master's key, as received at the first sign-in.
MASTER_FILE = "minion_master.pub"
#: File with the one-time invitation code from a master, kept until this minion is accepted.
INVITATION_FILE = "invitation"


class MinionIdentity:
    """Minion's id, key pair and trusted master key."""

    def __init__(self, settings: IdentitySettings, key: PrivateKey, tok: bytes) -> None:
        self.id = settings.id
        self.key = key
        self.tok = tok
        self._settings = settings
        self._master_path = os.path.join(settings.pki_dir, MASTER_FILE)
        self._check_reading()
        self._invitation_path = os.path.join(settings.pki_dir, INVITATION_FILE)

    def _check_reading(self) -> None:
        """Refuse an id that targets would misread; only log ids that a master accepted before."""
        why = misread(self.id)
        if why and not os.path.exists(self._master_path):
            raise ConfigError([f"id: targets would misread {self.id!r}: {why}; set another `id:`"])
        if why:
            log.warning("targets misread the id %r: %s; give this minion another id", self.id, why)

    def trust(self) -> Trust:
        """Return the grounds for trusting the master, reread in case an operator has removed a key."""
        return Trust(
            known=_read_public(self._master_path),
            signer=self._signer(),
            always_verify_signature=self._settings.always_verify_signature,
            finger=self._settings.master_finger,
            hash_type=self._settings.hash_type,
        )

    def remember(self, master: PublicKey) -> None:
        """Save the key of an authenticated master."""
        log.info("%s: saved as the master's key", self._master_path)
        disk.write_whole(self._master_path, master.pem + "\n")

    def invitation(self) -> Code | None:
        """Return the invitation code in `pki_dir`, or None if there is no valid one."""
        try:
            with open(self._invitation_path, encoding="ascii", errors="replace") as file:
                return read_code(file.read(100))
        except FileNotFoundError:
            return None
        except WireError as exc:
            log.warning("%s ignored: %s", self._invitation_path, exc)
            return None

    def forget_invitation(self) -> None:
        """Remove the invitation code after this minion was accepted."""
        with contextlib.suppress(FileNotFoundError):
            os.unlink(self._invitation_path)

    def _signer(self) -> PublicKey | None:
        if not self._settings.verify_master_pubkey_sign:
            return None
        path = os.path.join(self._settings.pki_dir, f"{self._settings.master_sign_key_name}.pub")
        signer = _read_public(path)
        if signer is None:
            raise KeysError(path, "verify_master_pubkey_sign is set, but the signing key is missing")
        return signer


def load_identity(settings: IdentitySettings) -> MinionIdentity:
    """Return this minion's identity; create its key pair at the first start."""
    load_openssl()
    key, tok = offload(_load, settings.pki_dir, settings.keysize)
    return MinionIdentity(settings, key, tok)


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
        raise KeysError(
            path,
            f"it is not a public key ({exc}): remove it, and this minion trusts the master that it signs in"
            " to next; `salt-g key -F master` there shows the fingerprint for `master_finger`",
        ) from exc

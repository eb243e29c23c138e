"""Stock's `salt.crypt`: key pairs on disk, and signatures with them."""

import os

from salt_g.compat.utils.values.stringutils import to_bytes
from salt_g.keys import pair
from salt_g.wire.rsa import DEFAULT_SIGNING, PrivateKey, PublicKey


def gen_keys(
    keydir: str, keyname: str, keysize: int = 2048, user: str | None = None, passphrase: str | None = None
) -> str:
    """Generate `<keyname>.pem` and `<keyname>.pub` unless they exist; return the path of the private key."""
    pair.gen_keys(keydir, keyname, bits=keysize, passphrase=passphrase)
    return os.path.join(keydir, f"{keyname}.pem")


def sign_message(
    privkey_path: str,
    message: bytes | str,
    passphrase: str | None = None,
    algorithm: str = DEFAULT_SIGNING,
) -> bytes:
    """Return the signature of a message."""
    with open(privkey_path, "rb") as file:
        return PrivateKey(file.read(), passphrase).sign(to_bytes(message), algorithm)


def verify_signature(
    pubkey_path: str, message: bytes | str, signature: bytes, algorithm: str = DEFAULT_SIGNING
) -> bool:
    """Return whether a message was signed with this key."""
    with open(pubkey_path, encoding="ascii") as file:
        return PublicKey(file.read()).verify(to_bytes(message), signature, algorithm)


def pem_finger(path: str | None = None, key: bytes | None = None, sum_type: str = "sha256") -> str:
    """Return the fingerprint of the public key `key` (PEM), or of the one in the file `path`."""
    # Imported lazily: few plugins use keys.
    from salt_g.wire.pem import fingerprint

    if key is None:
        with open(str(path), "rb") as file:
            key = file.read()
    return fingerprint(key.decode("ascii"), sum_type)


__all__ = ["gen_keys", "pem_finger", "sign_message", "verify_signature"]

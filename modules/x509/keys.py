"""Private keys and their public keys."""

from __future__ import annotations

from typing import Any

from salt_g import x509
from salt_g.modules.x509._output import deliver
from salt_g.x509.words import check_choice, check_known, current_keywords

_KEY_ENCODINGS = ("der", "pem", "pkcs12")
_KEY_ARGUMENTS = ("algo", "keysize", "passphrase", "encoding", "pkcs12_encryption_compat", "path", "raw")


def create_private_key(
    algo: str = "rsa",
    keysize: int | None = None,
    passphrase: str | None = None,
    encoding: str = "pem",
    pkcs12_encryption_compat: bool = False,
    path: str | None = None,
    raw: bool = False,
    **kwargs: Any,
) -> Any:
    """Create a private key and return it, or write it to `path`.

    algo
        `rsa`, `ec`, `ed25519` or `ed448`.
    keysize
        Bits: 2048, 3072 or 4096 for rsa; 256, 384 or 521, which select the curve, for ec.
    passphrase
        Encrypts the key.
    encoding
        `pem`, or `der` and `pkcs12`, which are returned in base64.
    pkcs12_encryption_compat
        Encrypt PKCS#12 in a way that old systems can read.
    raw
        Return bytes.

    Example::

        salt-g x509.create_private_key algo=ec keysize=384
    """
    given = current_keywords(kwargs)
    keysize = given.pop("keysize", keysize)
    check_known(given, _KEY_ARGUMENTS)
    check_choice("encoding", encoding, _KEY_ENCODINGS)
    key = x509.keys.generate(algo, keysize)
    data = x509.encoding.private_key(key, encoding, passphrase, compat=pkcs12_encryption_compat)
    return deliver(data, encoding, path=path, raw=raw, what="Private key")


def encode_private_key(
    private_key: Any,
    encoding: str = "pem",
    passphrase: str | None = None,
    private_key_passphrase: str | None = None,
    pkcs12_encryption_compat: bool = False,
    raw: bool = False,
) -> Any:
    """Return a private key in another encoding or under another passphrase.

    passphrase
        The new passphrase; none leaves the key unencrypted.
    private_key_passphrase
        The current passphrase.

    Example::

        salt-g x509.encode_private_key /etc/pki/my.key encoding=der
    """
    check_choice("encoding", encoding, _KEY_ENCODINGS)
    key = x509.loading.private_key(private_key, private_key_passphrase)
    data = x509.encoding.private_key(key, encoding, passphrase, compat=pkcs12_encryption_compat)
    return deliver(data, encoding, path=None, raw=raw, what="Private key")


def get_private_key_size(private_key: Any, passphrase: str | None = None) -> int | None:
    """Return the size of a private key in bits, or None for kinds with only one size.

    Example::

        salt-g x509.get_private_key_size /etc/pki/my.key
    """
    return x509.keys.size(x509.loading.private_key(private_key, passphrase))


def get_public_key(key: Any, passphrase: str | None = None, asObj: Any = None) -> str:  # noqa: N803
    """Return the public key of a key, certificate or request as PEM; `asObj` is accepted and ignored.

    Example::

        salt-g x509.get_public_key /etc/pki/my.key
    """
    return x509.encoding.public(x509.loading.any_public_key(key, passphrase)).decode()


def verify_private_key(private_key: Any, public_key: Any, passphrase: str | None = None) -> bool:
    """Return whether a private key belongs to a public key, certificate or request.

    Example::

        salt-g x509.verify_private_key /etc/pki/my.key /etc/pki/my.crt
    """
    key = x509.loading.private_key(private_key, passphrase)
    return x509.keys.is_pair(x509.loading.any_public_key(public_key), key)

"""Private keys in OpenSSH's format, and their public keys."""

from __future__ import annotations

from typing import Any

from salt_g import x509
from salt_g.errors import CommandExecutionError
from salt_g.modules._output_file import write, write_private
from salt_g.x509 import ssh
from salt_g.x509.words import check_choice

_ALGORITHMS = ("rsa", "ec", "ed25519")
#: Default size of RSA keys in bits.
_RSA_SIZE = 3072


def create_private_key(
    algo: str = "rsa",
    keysize: int | None = None,
    passphrase: str | None = None,
    path: str | None = None,
    pubkey_suffix: str | None = ".pub",
    overwrite: bool = False,
    raw: bool = False,
) -> Any:
    """Create a private key; return {private_key, public_key}, or write both to files.

    algo, keysize
        `rsa` with 2048, 3072 (default) or 4096 bits; `ec` with 256 (default), 384 or 521, which select the
        curve; `ed25519`.
    passphrase
        Encrypts the key.
    path, pubkey_suffix, overwrite
        The file of the private key. The public key is written to the same path with the suffix, unless that
        is False. An existing file is replaced only with `overwrite`.
    raw
        Return only the private key, as bytes.

    Example::

        salt-g ssh_pki.create_private_key algo=ed25519 path=/root/.ssh/id_ed25519
    """
    check_choice("algo", algo, _ALGORITHMS)
    refuse_existing(path, overwrite)
    key = x509.keys.generate(algo, keysize or (_RSA_SIZE if algo == "rsa" else None))
    private = ssh.rendering.private_key(key, passphrase)
    public = ssh.rendering.public_key(key.public_key())
    if path is None:
        return private.encode() if raw else {"private_key": private, "public_key": public}
    write_private(path, private.encode())
    if pubkey_suffix:
        write(path + pubkey_suffix, public.encode())
    return f"Private key written to {path}"


def encode_private_key(
    private_key: Any,
    private_key_passphrase: str | None = None,
    passphrase: str | None = None,
    raw: bool = False,
) -> Any:
    """Return a private key encrypted with the new `passphrase`, or unencrypted without one.

    private_key_passphrase
        The current passphrase.

    Example::

        salt-g ssh_pki.encode_private_key /root/.ssh/id_rsa passphrase=secret
    """
    key = ssh.loading.private_key(private_key, private_key_passphrase)
    text = ssh.rendering.private_key(key, passphrase)
    return text.encode() if raw else text


def get_private_key_size(private_key: Any, passphrase: str | None = None) -> int | None:
    """Return the size of a private key in bits, or None for ed25519, which has only one size.

    Example::

        salt-g ssh_pki.get_private_key_size /root/.ssh/id_rsa
    """
    return x509.keys.size(ssh.loading.private_key(private_key, passphrase))


def get_public_key(key: Any, passphrase: str | None = None) -> str:
    """Return the public key of a public key, a certificate or a private key, as one line.

    Example::

        salt-g ssh_pki.get_public_key /root/.ssh/id_rsa
    """
    return ssh.rendering.public_key(ssh.loading.any_public_key(key, passphrase))


def verify_private_key(private_key: Any, public_key: Any, passphrase: str | None = None) -> bool:
    """Return whether a private key belongs to a public key or certificate.

    Example::

        salt-g ssh_pki.verify_private_key /root/.ssh/id_rsa /root/.ssh/id_rsa-cert.pub
    """
    key = ssh.loading.private_key(private_key, passphrase)
    return x509.keys.is_pair(ssh.loading.any_public_key(public_key), key)


def refuse_existing(path: str | None, overwrite: bool) -> None:
    """Raise CommandExecutionError if the file `path` exists and may not be overwritten."""
    if path and not overwrite and x509.loading.is_file(path):
        raise CommandExecutionError(f"The file at {path} exists and overwrite was set to false")

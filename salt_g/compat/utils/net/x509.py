"""Stock's `salt.utils.x509`: certificates and keys in memory, as objects of the library cryptography."""

from typing import Any

import cryptography.x509 as cx509
from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm

from salt_g.x509 import keys, loading, names

NAME_ATTRS_OID = names.ATTRIBUTE_OIDS
load_pubkey = loading.public_key
load_csr = loading.request
load_crl = loading.revocation_list


def load_cert(
    cert: Any, passphrase: str | None = None, load_chain: bool = False, get_encoding: bool = False
) -> Any:
    """Return a certificate from a path, a text or an object.

    With `get_encoding`, return (certificate, encoding, chain, PKCS#12 name); with `load_chain`, (certificate,
    chain).
    """
    found = loading.bundle(cert, passphrase)
    if get_encoding:
        return tuple(found)
    return (found.certificate, found.chain) if load_chain else found.certificate


def load_privkey(pk: Any, passphrase: str | None = None, get_encoding: bool = False) -> Any:
    """Return a private key, or (key, encoding, None) with `get_encoding`."""
    key, encoding = loading.private_key_and_encoding(pk, passphrase)
    return (key, encoding, None) if get_encoding else key


def is_pair(pub: Any, priv: Any, passphrase: str | None = None) -> bool:
    """Return whether a public key or certificate belongs to a private key."""
    return keys.is_pair(loading.any_public_key(pub), load_privkey(priv, passphrase))


def match_pubkey(pub: Any, cert: Any, passphrase: str | None = None) -> bool:
    """Return whether two public keys or certificates have the same key."""
    return keys.are_same(loading.any_public_key(pub), loading.any_public_key(cert, passphrase))


def verify_signature(cert: Any, pubkey: Any, *stock: Any) -> bool:
    """Return whether a certificate was signed with the given key or the key of the given certificate."""
    return keys.has_signed(loading.any_public_key(pubkey), load_cert(cert))


def generate_rsa_privkey(keysize: int = 2048) -> Any:
    """Return a new RSA key."""
    return keys.generate("rsa", keysize)


__all__ = [
    "NAME_ATTRS_OID",
    "InvalidSignature",
    "UnsupportedAlgorithm",
    "cx509",
    "generate_rsa_privkey",
    "is_pair",
]
__all__ += [
    "load_cert",
    "load_crl",
    "load_csr",
    "load_privkey",
    "load_pubkey",
    "match_pubkey",
    "verify_signature",
]

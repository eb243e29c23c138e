"""Signature of a master's public key, created in advance with a signing key.

Minions that have the public signing key trust a new master because of this signature. Operators create it on
the machine with the signing key; the master only sends it.
Shapes: the file holds base64 text in lines of 76 characters.
Errors: WireError for malformed key files; OSError if the disk fails.
"""

from __future__ import annotations

import base64
import logging
import os
from collections.abc import Mapping
from typing import Any

from salt_g.keys.pair import load_or_make
from salt_g.process import disk
from salt_g.wire.pem import clean_pem
from salt_g.wire.rsa import PrivateKey

log = logging.getLogger(__name__)


def gen_signature(
    opts: Mapping[str, Any],
    *,
    priv: str = "",
    pub: str = "",
    directory: str = "",
    auto_create: bool = False,
    bits: int = 2048,
) -> bool | str:
    """Sign a public key file; return True, False if a signature exists, or a text about a missing file.

    `priv` and `pub` default to the signing key and the master's public key in `pki_dir`; the signature is
    written to `directory`, or to `pki_dir`.
    """
    if pub and not os.path.isfile(pub):
        return f"Public-key {pub} does not exist"
    if priv and not os.path.isfile(priv):
        return f"Private-key {priv} does not exist"
    name = opts["master_sign_key_name"]
    signing = priv or _if_file(os.path.join(opts["pki_dir"], f"{name}.pem"))
    if not signing and not auto_create:
        return "No usable private-key found"
    public = pub or _if_file(os.path.join(opts["pki_dir"], "master.pub"))
    if not public:
        return "No usable public-key found"
    passphrase = opts["signing_key_pass"]
    if signing:
        with open(signing, "rb") as file:
            key = PrivateKey(file.read(), passphrase)
    else:
        key = load_or_make(opts["pki_dir"], name, bits=bits, passphrase=passphrase)
    return _write(key, public, os.path.join(directory or opts["pki_dir"], file_name(opts)), opts)


def file_name(opts: Mapping[str, Any]) -> str:
    """Return the name of the file that holds the signature."""
    name: str = opts["master_pubkey_signature"] or f"{opts['id']}_pubkey_signature"
    return name


def _write(key: PrivateKey, public: str, path: str, opts: Mapping[str, Any]) -> bool:
    if os.path.exists(path):
        log.error("%s exists already; remove it to make a new one", path)
        return False
    with open(public, "rb") as file:
        text = clean_pem(file.read())
    signed = key.sign(text.encode("ascii"), opts["publish_signing_algorithm"])
    disk.write_whole(path, base64.encodebytes(signed))
    return True


def _if_file(path: str) -> str:
    return path if os.path.isfile(path) else ""

"""Keys and certificates as text, and certificates as dicts for users."""

from __future__ import annotations

import base64
import datetime
import hashlib
from typing import Any

from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.serialization import SSHCertificate

import salt_g.x509.keys as keys
from salt_g.errors import CommandExecutionError
from salt_g.x509 import times
from salt_g.x509.rendering import number_hex, pretty_hex
from salt_g.x509.ssh.plans import TYPES


def public_key(key: Any) -> str:
    """Return a public key as one line without a comment."""
    form = serialization.PublicFormat.OpenSSH
    return str(key.public_bytes(serialization.Encoding.OpenSSH, form).decode())


def private_key(key: Any, passphrase: str | None = None) -> str:
    """Return a private key, encrypted if there is a passphrase."""
    cipher: serialization.KeySerializationEncryption = serialization.NoEncryption()
    if passphrase is not None:
        cipher = serialization.BestAvailableEncryption(str(passphrase).encode())
    form = serialization.PrivateFormat.OpenSSH
    try:
        return str(key.private_bytes(serialization.Encoding.PEM, form, cipher).decode())
    except UnsupportedAlgorithm as exc:
        raise CommandExecutionError(f"{exc}. Install it with: pip install salt-g[x509]") from exc


def certificate(found: SSHCertificate, *, with_md5: bool = True) -> dict[str, Any]:
    """Return a certificate as a dict; MD5 fingerprints are omitted where they are forbidden."""
    subject = found.public_key()
    issuer_line, subject_line = public_key(found.signature_key()), public_key(subject)
    return {
        "cert_type": next(name for name, type in TYPES.items() if type is found.type),
        "valid_principals": [name.decode() for name in found.valid_principals] or "all",
        "key_id": found.key_id.decode(),
        "key_size": keys.size(subject),
        "key_type": keys.kind(subject),
        "serial_number": number_hex(found.serial),
        "issuer_public_key": issuer_line,
        "not_before": _moment(found.valid_after),
        "not_after": _moment(found.valid_before),
        "public_key": subject_line,
        "critical_options": _options(found.critical_options),
        "extensions": _options(found.extensions),
        "issuer_public_key_fingerprints": _fingerprints(issuer_line, with_md5=with_md5),
        "public_key_fingerprints": _fingerprints(subject_line, with_md5=with_md5),
    }


def _options(options: dict[bytes, bytes]) -> dict[str, Any]:
    return {
        name.decode("utf-8", "replace"): value.decode("utf-8", "replace") or True
        for name, value in options.items()
    }


def _fingerprints(line: str, *, with_md5: bool) -> dict[str, str]:
    data = base64.b64decode(line.split(" ")[1])
    prints = {"sha256": base64.b64encode(hashlib.sha256(data).digest()).decode()}
    if with_md5:
        prints["md5"] = pretty_hex(hashlib.md5(data, usedforsecurity=False).hexdigest()).lower()
    return prints


def _moment(seconds: int) -> str:
    """Return a Unix time as text; OpenSSH encodes "forever" as a number beyond any calendar."""
    try:
        return times.shown(datetime.datetime.fromtimestamp(seconds, tz=datetime.timezone.utc))
    except (OverflowError, ValueError, OSError):
        return "forever"

"""Loading of keys and certificates in OpenSSH format.

A reference is an object of the library, the path of a file, or the content itself as text or bytes.
Errors: as in `salt_g.x509.loading`: Unreadable, and a BadPassword with the reason.
"""

from __future__ import annotations

from typing import Any

from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.serialization import SSHCertificate

import salt_g.x509.keys as keys
from salt_g.errors import CommandExecutionError, InvocationError
from salt_g.x509.loading import BadPassword, MissingPassword, Unreadable, WrongPassword, is_file, read_file


class UnneededPassword(BadPassword):
    """A passphrase was given for content that is not encrypted."""

    def __init__(self) -> None:
        super().__init__("Password was given but private key is not encrypted")


def content(reference: Any) -> bytes:
    """Return the bytes of the file at a path, or of a text."""
    if is_file(reference):
        return read_file(reference)
    if isinstance(reference, str):
        return reference.encode()
    if isinstance(reference, bytes):
        return reference
    raise InvocationError(
        "Could not load provided source. You need to pass an existing file, string or raw bytes."
    )


def private_key(reference: Any, passphrase: str | None = None) -> Any:
    """Load a private key."""
    if hasattr(reference, "private_bytes"):
        if not keys.is_private(reference):
            raise InvocationError(f"Passed object is not an SSH private key, but {type(reference).__name__}")
        return reference
    password = None if passphrase is None else str(passphrase).encode()
    data = content(reference)
    try:
        return serialization.load_ssh_private_key(data, password=password)
    except UnsupportedAlgorithm as exc:
        # Encrypted keys need another library, which the exception names.
        raise CommandExecutionError(f"{exc}. Install it with: pip install salt-g[x509]") from exc
    except (ValueError, TypeError) as exc:
        raise _refused(str(exc)) from exc


def public_key(reference: Any) -> Any:
    """Load a public key."""
    if hasattr(reference, "public_bytes") and not isinstance(reference, SSHCertificate):
        if not keys.is_public(reference):
            raise InvocationError(f"Passed object is not an SSH public key, but {type(reference).__name__}")
        return reference
    try:
        return serialization.load_ssh_public_key(content(reference))
    except (ValueError, UnsupportedAlgorithm) as exc:
        raise Unreadable("Could not load OpenSSH public key.") from exc


def certificate(reference: Any, *, verify: bool = True) -> SSHCertificate:
    """Load a certificate; unless `verify` is off, verify its signature with the key that it names.

    An object is returned unchanged, without verification.
    """
    if isinstance(reference, SSHCertificate):
        return reference
    try:
        found = serialization.load_ssh_public_identity(content(reference))
    except (ValueError, UnsupportedAlgorithm) as exc:
        raise Unreadable("Could not load OpenSSH certificate.") from exc
    if not isinstance(found, SSHCertificate):
        raise InvocationError(f"The data decoded to a {type(found).__name__}, not SSHCertificate")
    if verify and not is_signed(found):
        raise CommandExecutionError("The signature on the SSH certificate was invalid")
    return found


def is_signed(found: SSHCertificate) -> bool:
    """Return whether a certificate's signature was made by the key that it names."""
    try:
        found.verify_cert_signature()
    except InvalidSignature:
        return False
    return True


def any_public_key(reference: Any, passphrase: str | None = None) -> Any:
    """Return the public key of a public key, a certificate or a private key."""
    if isinstance(reference, SSHCertificate):
        return reference.public_key()
    if hasattr(reference, "private_bytes"):
        return private_key(reference).public_key()
    data = reference if hasattr(reference, "public_bytes") else content(reference)
    for load in (public_key, lambda given: certificate(given).public_key()):
        try:
            return load(data)
        except (Unreadable, InvocationError):
            continue
    try:
        return private_key(data, passphrase).public_key()
    except InvocationError as exc:
        raise CommandExecutionError("Could not load key as certificate, public key or private key") from exc


def _refused(text: str) -> InvocationError:
    """Return the error to raise for the text of the library's error about a private key."""
    if "Key is password-protected" in text:
        return MissingPassword()
    if "broken checksum" in text:
        return WrongPassword()
    if "private key is not encrypted" in text:
        return UnneededPassword()
    return Unreadable("Could not load OpenSSH private key")

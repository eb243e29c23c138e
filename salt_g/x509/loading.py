"""Loading of keys, certificates, requests and revocation lists from paths, text or bytes.

A reference is an object of the library, the path of a file, or the content itself: PEM text, hexadecimal,
base64 or bytes. Encodings are PEM and DER; certificates can also be in PKCS#7 or PKCS#12, private keys in
PKCS#12.

Errors: Unreadable for other content, BadPassword for a wrong, missing or superfluous passphrase.
"""

from __future__ import annotations

import base64
import binascii
import os.path
from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar

from cryptography import x509
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.serialization import pkcs7, pkcs12

import salt_g.x509.key_files as key_files
import salt_g.x509.keys as keys
import salt_g.x509.pem as pem
from salt_g.errors import CommandExecutionError, InvocationError

_Loaded = TypeVar("_Loaded")

#: Error about a request with a nonexistent version, under a name of this module.
InvalidVersion = x509.InvalidVersion


class Unreadable(InvocationError):
    """Content of the wrong type or format."""


class BadPassword(InvocationError):
    """Unsuitable passphrase; the subclass gives the reason."""


class WrongPassword(BadPassword):
    """Wrong passphrase."""

    def __init__(self) -> None:
        super().__init__("Bad decrypt - is the password correct?")


class MissingPassword(BadPassword):
    """Encrypted content without a passphrase."""

    def __init__(self) -> None:
        super().__init__("Private key is encrypted. Please provide a password.")


class SuperfluousPassword(BadPassword):
    """A passphrase was given for content that is not encrypted."""

    def __init__(self) -> None:
        super().__init__("Private key is unencrypted. Please remove the password.")


class CertificateBundle(NamedTuple):
    """A certificate with its chain; `encoding` is '' for an object, `name` a PKCS#12 name."""

    certificate: x509.Certificate
    encoding: str
    chain: list[x509.Certificate]
    name: bytes | None = None


def is_file(reference: Any) -> bool:
    """Return whether a reference is the path of a file; on a host, only an absolute path is one."""
    if not isinstance(reference, (str, os.PathLike)):
        return False
    host = key_files.of_host()
    if host is not None:
        path = os.fspath(reference)
        # The host is asked only about absolute paths; no PEM text and no DER in base64 begins like one.
        return path.startswith("/") and not set("\0\n") & set(path) and host.is_file(path)
    try:
        return os.path.isfile(reference)
    except ValueError:  # contains a zero byte, or is too long
        return False


def read_file(path: Any) -> bytes:
    """Return the content of a file, on the host that the call is about or else on this machine."""
    host = key_files.of_host()
    if host is not None:
        return host.read(os.fspath(path))
    with open(path, "rb") as file:
        return file.read()


def content(reference: Any) -> bytes:
    """Return the bytes of the file at a path, or of a text in one of the encodings."""
    if is_file(reference):
        return read_file(reference)
    if isinstance(reference, str):
        reference = _decoded(reference)
    if not isinstance(reference, bytes):
        raise InvocationError(
            "Could not load provided source. You need to pass an existing file, "
            "(PEM|hex|base64)-encoded string or raw bytes."
        )
    return reference


def private_key(reference: Any, passphrase: str | None = None) -> keys.PrivateKey:
    """Load a private key."""
    return private_key_and_encoding(reference, passphrase)[0]


def private_key_and_encoding(reference: Any, passphrase: str | None = None) -> tuple[keys.PrivateKey, str]:
    """Load a private key and return it with its encoding (`pem`, `der`, `pkcs12`; '' for an object)."""
    if hasattr(reference, "private_bytes"):
        if not keys.is_private(reference):
            raise InvocationError(f"Passed object is not a known private key, but {type(reference).__name__}")
        return reference, ""
    data = content(reference)
    password = None if passphrase is None else str(passphrase).encode()
    if pem.BEGIN in data:
        return _pem_key(data, password), "pem"
    bundle = _pkcs12(data, password)
    if bundle is not None:
        if bundle.key is None:
            raise CommandExecutionError("PKCS12-encoded blob does not contain a private key.")
        return bundle.key, "pkcs12"  # type: ignore[return-value]
    return _der_key(data, password), "der"


def public_key(reference: Any) -> keys.PublicKey:
    """Load a public key."""
    if hasattr(reference, "public_bytes"):
        if not keys.is_public(reference):
            raise InvocationError(f"Passed object is not a public key, but {type(reference).__name__}")
        return reference  # type: ignore[no-any-return]
    data = content(reference)
    encoding = "PEM" if pem.BEGIN in data else "DER"
    load: Any = serialization.load_pem_public_key if encoding == "PEM" else serialization.load_der_public_key
    try:
        key: keys.PublicKey = load(data)
    except ValueError as exc:
        raise Unreadable(f"Could not load {encoding}-encoded public key.") from exc
    return key


def any_public_key(reference: Any, passphrase: str | None = None) -> keys.PublicKey:
    """Return the public key of a public key, a certificate, a private key or a request."""
    ways: list[Callable[[], Any]] = [
        lambda: public_key(reference),
        lambda: certificate(reference, passphrase).public_key(),
        lambda: private_key(reference, passphrase).public_key(),
        lambda: request(reference).public_key(),
    ]
    for load in ways:
        try:
            key: keys.PublicKey = load()
            return key
        except BadPassword as exc:
            # The content has the type of this loader, so the other loaders need not be tried.
            raise CommandExecutionError(str(exc)) from exc
        except (InvocationError, CommandExecutionError):
            continue
    raise CommandExecutionError("Could not load key as certificate, public key, private key or CSR")


def certificate(reference: Any, passphrase: str | None = None) -> x509.Certificate:
    """Load a certificate, the first one if there are several."""
    return bundle(reference, passphrase).certificate


def bundle(reference: Any, passphrase: str | None = None) -> CertificateBundle:
    """Load a certificate with its encoding and the certificates that follow it."""
    if isinstance(reference, x509.Certificate):
        return CertificateBundle(reference, "", [])
    data = content(reference)
    if pem.BEGIN in data:
        return _pem_bundle(data)
    return _binary_bundle(data, None if passphrase is None else str(passphrase).encode())


def request(reference: Any) -> x509.CertificateSigningRequest:
    """Load a certificate signing request."""
    return request_and_encoding(reference)[0]


def request_and_encoding(reference: Any) -> tuple[x509.CertificateSigningRequest, str]:
    """Load a request and return it with its encoding; x509.InvalidVersion propagates."""
    if isinstance(reference, x509.CertificateSigningRequest):
        return reference, ""
    return _with_encoding(
        content(reference), x509.load_pem_x509_csr, x509.load_der_x509_csr, "certificate signing request"
    )


def revocation_list(reference: Any) -> x509.CertificateRevocationList:
    """Load a certificate revocation list."""
    return revocation_list_and_encoding(reference)[0]


def revocation_list_and_encoding(reference: Any) -> tuple[x509.CertificateRevocationList, str]:
    """Load a revocation list and return it with its encoding."""
    if isinstance(reference, x509.CertificateRevocationList):
        return reference, ""
    return _with_encoding(
        content(reference), x509.load_pem_x509_crl, x509.load_der_x509_crl, "certificate revocation list"
    )


def _with_encoding(
    data: bytes, load_pem: Callable[[bytes], _Loaded], load_der: Callable[[bytes], _Loaded], kind: str
) -> tuple[_Loaded, str]:
    """Return a loaded object and its encoding; `kind` names the type in errors."""
    encoding, load = ("pem", load_pem) if pem.BEGIN in data else ("der", load_der)
    try:
        return load(data), encoding
    except x509.InvalidVersion:
        raise
    except ValueError as exc:
        raise Unreadable(f"Could not load {encoding.upper()}-encoded {kind}.") from exc


def _decoded(text: str) -> bytes | str:
    if text.startswith("b64:"):
        return base64.b64decode(text[4:])
    if pem.BEGIN.decode() in text:
        # PEM that passed through YAML or the mine may have lost its line breaks.
        return text.encode() if "\n" in text.strip() else pem.entry(text.strip()).encode()
    try:
        return bytes.fromhex(text)
    except ValueError:
        pass
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        return text


def _pem_key(data: bytes, password: bytes | None) -> keys.PrivateKey:
    unreadable = Unreadable("Could not load PEM-encoded private key")
    return _private_key(serialization.load_pem_private_key, data, password, unreadable)


def _der_key(data: bytes, password: bytes | None) -> keys.PrivateKey:
    unreadable = Unreadable("Could not deserialize binary data, neither as DER nor PKCS#12.")
    return _private_key(serialization.load_der_private_key, data, password, unreadable)


def _private_key(
    load: Callable[..., Any], data: bytes, password: bytes | None, unreadable: Unreadable
) -> keys.PrivateKey:
    try:
        key: keys.PrivateKey = load(data, password=password)
    except (ValueError, TypeError) as exc:
        raise _password_error(exc) or _undetected(load, data, password) or unreadable from exc
    return key


def _undetected(load: Callable[..., Any], data: bytes, password: bytes | None) -> WrongPassword | None:
    """Return the error for a wrong passphrase that decrypts to noise, or None for unencrypted content.

    About one wrong passphrase in 256 gives noise with valid padding, which the library reports as unreadable.
    """
    if password is None:
        return None
    try:
        load(data, password=None)
    except (ValueError, TypeError) as exc:
        return WrongPassword() if isinstance(_password_error(exc), MissingPassword) else None
    return None


def _pkcs12(data: bytes, password: bytes | None) -> pkcs12.PKCS12KeyAndCertificates | None:
    """Return the contents of a PKCS#12 container, or None for other content."""
    try:
        return pkcs12.load_pkcs12(data, password)
    except (ValueError, TypeError) as exc:
        problem = _password_error(exc)
        if problem:
            raise problem from exc
        return None


def _password_error(exc: Exception) -> BadPassword | None:
    """Return our error for a passphrase error, which only its text identifies, or None for other errors."""
    text = str(exc)
    if any(words in text for words in ("Bad decrypt", "Incorrect password", "Invalid password")):
        return WrongPassword()
    if "private key is encrypted" in text:
        return MissingPassword()
    return SuperfluousPassword() if "private key is not encrypted" in text else None


def _pem_bundle(data: bytes) -> CertificateBundle:
    entries = pem.split(data)
    try:
        if entries and b"-----BEGIN PKCS7" in entries[0]:
            first, *chain = pkcs7.load_pem_pkcs7_certificates(entries[0])
            return CertificateBundle(first, "pkcs7_pem", chain)
        entry, *others = entries
        return CertificateBundle(x509.load_pem_x509_certificate(entry), "pem", _certificates(others))
    except ValueError as exc:
        what = "PKCS#7 blob" if b"-----BEGIN PKCS7" in data else "certificate."
        raise Unreadable(f"Could not load PEM-encoded {what}") from exc


def _certificates(entries: list[bytes]) -> list[x509.Certificate]:
    """Return the certificates among PEM entries, ignoring keys and parameters."""
    return [x509.load_pem_x509_certificate(entry) for entry in entries if b"BEGIN CERTIFICATE-" in entry]


def _binary_bundle(data: bytes, password: bytes | None) -> CertificateBundle:
    try:
        return CertificateBundle(x509.load_der_x509_certificate(data), "der", [])
    except ValueError:
        pass
    container = _pkcs12(data, password)
    if container is not None and container.cert is not None:
        chain = [item.certificate for item in container.additional_certs]
        return CertificateBundle(container.cert.certificate, "pkcs12", chain, container.cert.friendly_name)
    try:
        first, *chain = pkcs7.load_der_pkcs7_certificates(data)
    except ValueError as exc:
        raise Unreadable("Could not deserialize binary data, neither as DER nor PKCS#7, PKCS#12.") from exc
    return CertificateBundle(first, "pkcs7_der", chain)

"""Certificates: creation, here or by an authority's minion, and encodings."""

from __future__ import annotations

from typing import Any

from salt_g import x509
from salt_g.errors import CommandExecutionError, InvocationError, SaltGError
from salt_g.modules._output_file import is_taken
from salt_g.modules.x509._issue import sign
from salt_g.modules.x509._output import deliver
from salt_g.modules.x509.signing import ask_authority, local_policy
from salt_g.x509.words import check_choice, current_keywords

_ENCODINGS = ("der", "pem", "pkcs7_der", "pkcs7_pem", "pkcs12")
#: Days that a certificate is valid if neither `days_valid` nor `not_after` is given.
_DAYS_VALID = 365


def create_certificate(
    ca_server: str | None = None,
    signing_policy: str | None = None,
    encoding: str = "pem",
    append_certs: Any = None,
    pkcs12_passphrase: str | None = None,
    pkcs12_encryption_compat: bool = False,
    pkcs12_friendlyname: str | None = None,
    path: str | None = None,
    overwrite: bool = True,
    raw: bool = False,
    **kwargs: Any,
) -> Any:
    """Create a certificate and return it, or write it to `path`.

    ca_server
        The minion that signs, under `signing_policy`. The master must let this minion publish
        `x509.sign_remote_certificate` (`peer`).
    signing_policy
        A policy in pillar or settings (`x509_signing_policies`), which overrides the request.
    encoding
        `pem`, `pkcs7_pem`, or `der`, `pkcs7_der`, `pkcs12`, which are returned in base64.
    append_certs
        Certificates to append, such as those of the authorities.
    pkcs12_passphrase, pkcs12_friendlyname, pkcs12_encryption_compat
        Passphrase and name of a PKCS#12 container, and encryption that old systems can read.
    overwrite, raw
        False keeps an existing file and returns a message; `raw` returns bytes.
    signing_private_key, signing_private_key_passphrase, signing_cert
        The signing key and its certificate, without which the certificate is self-signed.
    private_key, private_key_passphrase, public_key, csr
        The key or request to certify; extensions of a request are the defaults.
    digest, serial_number, not_before, not_after, days_valid
        Digest of the signature, serial number, validity (`2030-01-31 12:00:00`, UTC), 365 days by default.
    subject, CN, O, OU, C, …
        The name: RFC 4514 text, a list of its parts, a dict, or attributes one by one.
    copypath, prepend_cn
        A directory for a copy named after the serial number; `prepend_cn` puts the CN before it.

    Further keywords are extensions, as OpenSSL writes them (`basicConstraints='critical, CA:TRUE'`), or
    as lists and dicts: basicConstraints, keyUsage, extendedKeyUsage, subjectKeyIdentifier,
    authorityKeyIdentifier, subjectAltName, issuerAltName, authorityInfoAccess, crlDistributionPoints,
    certificatePolicies, policyConstraints, inhibitAnyPolicy, nameConstraints, noCheck, tlsfeature.

    Example::

        salt-g x509.create_certificate signing_private_key=/etc/pki/my.key CN=www.example.org days_valid=30
    """
    wanted = current_keywords(kwargs)
    _check(wanted, encoding, append_certs)
    if path and not overwrite and is_taken(path):
        return f"The file at {path} exists and overwrite was set to false"
    made, key = _signed(ca_server, signing_policy, wanted, encoding)
    container = {
        "passphrase": pkcs12_passphrase,
        "compat": pkcs12_encryption_compat,
        "name": pkcs12_friendlyname,
    }
    data = _encoded(made, encoding, append_certs, key, **container)
    return deliver(data, encoding, path=path, raw=raw, what="Certificate")


def encode_certificate(
    certificate: Any,
    encoding: str = "pem",
    append_certs: Any = None,
    private_key: Any = None,
    private_key_passphrase: str | None = None,
    pkcs12_passphrase: str | None = None,
    pkcs12_encryption_compat: bool = False,
    pkcs12_friendlyname: str | None = None,
    raw: bool = False,
) -> Any:
    """Return a certificate in another encoding, with appended certificates, and for `pkcs12` with its key.

    The arguments are those of `x509.create_certificate`.

    Example::

        salt-g x509.encode_certificate /etc/pki/my.crt encoding=pem append_certs=/etc/pki/ca.crt
    """
    check_choice("encoding", encoding, _ENCODINGS)
    if encoding != "pkcs12" and private_key:
        raise InvocationError("Embedding private keys is only supported for pkcs12 encoding")
    _check_chain(encoding, append_certs)
    key = x509.loading.private_key(private_key, private_key_passphrase) if private_key else None
    data = _encoded(
        x509.loading.certificate(certificate),
        encoding,
        append_certs,
        key,
        passphrase=pkcs12_passphrase,
        compat=pkcs12_encryption_compat,
        name=pkcs12_friendlyname,
    )
    return deliver(data, encoding, path=None, raw=raw, what="Certificate")


def _check(wanted: dict[str, Any], encoding: str, append_certs: Any) -> None:
    check_choice("encoding", encoding, _ENCODINGS)
    x509.keys.digest(wanted.get("digest", "sha256"))
    _check_chain(encoding, append_certs)
    if wanted.get("days_valid") is None and wanted.get("not_after") is None:
        wanted["days_valid"] = _DAYS_VALID


def _check_chain(encoding: str, append_certs: Any) -> None:
    if encoding == "der" and append_certs:
        raise InvocationError("Cannot encode a certificate chain in DER")


def _signed(
    ca_server: str | None, signing_policy: str | None, wanted: dict[str, Any], encoding: str
) -> tuple[Any, Any]:
    """Return the certificate, and its private key for a PKCS#12 container."""
    if ca_server:
        return _signed_elsewhere(ca_server, signing_policy, wanted)
    return _signed_here(signing_policy, wanted, encoding)


def _signed_here(signing_policy: str | None, wanted: dict[str, Any], encoding: str) -> tuple[Any, Any]:
    arguments = x509.policies.enforced(local_policy(signing_policy), wanted)
    if arguments.get("signing_private_key") is None:
        raise InvocationError("Creating a certificate locally at least requires a signing private key.")
    if encoding == "pkcs12" and not arguments.get("private_key") and arguments.get("signing_cert"):
        _refuse_without_key()
    return sign(arguments)


def _signed_elsewhere(ca_server: str, signing_policy: str | None, wanted: dict[str, Any]) -> tuple[Any, Any]:
    """Request a signature from another minion; only the public key is sent."""
    if signing_policy is None:
        raise InvocationError(
            "signing_policy must be specified to request a certificate from a remote ca_server"
        )
    asked = {name: value for name, value in wanted.items() if value is not None}
    key = None
    passphrase = asked.pop("private_key_passphrase", None)
    if "private_key" in asked:
        key = x509.loading.private_key(asked.pop("private_key"), passphrase)
        asked["public_key"] = x509.encoding.public(key.public_key(), "der")
    elif "public_key" in asked:
        asked["public_key"] = x509.encoding.public(x509.loading.public_key(asked["public_key"]), "der")
    if "csr" in asked:
        asked["csr"] = x509.encoding.public(x509.loading.request(asked["csr"]), "der")
    answer = ask_authority(ca_server, signing_policy, asked)
    try:
        return x509.loading.certificate(answer), key
    except SaltGError as exc:
        raise CommandExecutionError(f"ca_server did not return a certificate: {answer}") from exc


def _encoded(made: Any, encoding: str, append_certs: Any, key: Any, **container: Any) -> bytes:
    chain = append_certs if isinstance(append_certs, list) else [append_certs] if append_certs else []
    others = [x509.loading.certificate(reference) for reference in chain]
    if encoding != "pkcs12":
        return x509.encoding.certificates(made, others, encoding)
    if key is None:
        _refuse_without_key()
    return x509.encoding.container(made, others, key, **container)


def _refuse_without_key() -> None:
    raise InvocationError("Creating a PKCS12-encoded certificate without embedded private key is unsupported")

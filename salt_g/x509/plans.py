"""Plans of certificates, requests and revocation lists, before they are signed.

A plan is built from the user's arguments. The execution modules sign it and the states compare it with the
existing file, so both use the same rules.
Shapes: keyword arguments as users write them, with the signing policy already applied (`policies.enforced`).
"""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from cryptography import x509

import salt_g.x509.keys as keys
import salt_g.x509.loading as loading
import salt_g.x509.times as times
import salt_g.x509.words as words
from salt_g.errors import CommandExecutionError, InvocationError
from salt_g.shapes import Arguments
from salt_g.x509.extensions import Extension, Parties, extension
from salt_g.x509.names import ATTRIBUTE_OIDS, distinguished_name
from salt_g.x509.rendering import TYPES

#: Arguments of a certificate that are neither extensions nor attributes of its name.
CERTIFICATE_ARGUMENTS = (
    *("signing_private_key", "signing_private_key_passphrase", "signing_cert", "public_key", "private_key"),
    *("private_key_passphrase", "csr", "subject", "serial_number", "not_before", "not_after", "days_valid"),
)
#: All arguments of a certificate.
KNOWN_IN_CERTIFICATES = (*CERTIFICATE_ARGUMENTS, *words.CERTIFICATE_EXTENSIONS, *words.NAME_ATTRIBUTES)


@dataclass(frozen=True)
class Certificate:
    """Planned certificate; `signing_key` is None if it is signed elsewhere.

    `key` is the matching private key, if given.
    """

    subject: x509.Name
    issuer: x509.Name
    public_key: Any
    serial_number: int
    not_before: datetime.datetime
    not_after: datetime.datetime
    extensions: Sequence[Extension]
    signing_key: Any = None
    signing_cert: x509.Certificate | None = None
    key: Any = None

    def sign(self, digest: str) -> x509.Certificate:
        """Sign and return the certificate."""
        builder = (
            x509.CertificateBuilder()
            .subject_name(self.subject)
            .issuer_name(self.issuer)
            .public_key(self.public_key)
            .serial_number(self.serial_number)
            .not_valid_before(self.not_before)
            .not_valid_after(self.not_after)
        )
        for item in self.extensions:
            builder = builder.add_extension(item.value, item.critical)
        return builder.sign(self.signing_key, keys.digest_for(self.signing_key, digest))


@dataclass(frozen=True)
class SigningRequest:
    """Planned certificate signing request."""

    subject: x509.Name
    signing_key: Any
    extensions: Sequence[Extension]

    def sign(self, digest: str) -> x509.CertificateSigningRequest:
        """Sign and return the request."""
        builder = x509.CertificateSigningRequestBuilder().subject_name(self.subject)
        for item in self.extensions:
            builder = builder.add_extension(item.value, item.critical)
        return builder.sign(self.signing_key, keys.digest_for(self.signing_key, digest))


@dataclass(frozen=True)
class Revoked:
    """Entry of a planned revocation list."""

    serial_number: int
    when: datetime.datetime
    extensions: Sequence[Extension]


@dataclass(frozen=True)
class RevocationList:
    """Planned revocation list."""

    issuer: x509.Name
    signing_key: Any
    days_valid: float
    revoked: Sequence[Revoked]
    extensions: Sequence[Extension] = field(default_factory=tuple)

    def sign(self, digest: str) -> x509.CertificateRevocationList:
        """Sign and return the list, valid from now on."""
        builder = (
            x509.CertificateRevocationListBuilder()
            .issuer_name(self.issuer)
            .last_update(times.now())
            .next_update(times.in_days(self.days_valid))
        )
        for entry in self.revoked:
            made = x509.RevokedCertificateBuilder().serial_number(entry.serial_number)
            made = made.revocation_date(entry.when)
            for item in entry.extensions:
                made = made.add_extension(item.value, item.critical)
            builder = builder.add_revoked_certificate(made.build())
        for item in self.extensions:
            builder = builder.add_extension(item.value, item.critical)
        return builder.sign(self.signing_key, keys.digest_for(self.signing_key, digest))


def certificate(arguments: Mapping[str, Any], *, signed_elsewhere: bool = False) -> Certificate:
    """Return the plan of a certificate.

    Without `signing_cert` it is self-signed and its public key is that of `signing_private_key`; otherwise
    its public key is that of `private_key`, `public_key` or `csr`, in this order.
    """
    words.check_known(arguments, KNOWN_IN_CERTIFICATES)
    request = loading.request(arguments["csr"]) if arguments.get("csr") else None
    issuer = loading.certificate(arguments["signing_cert"]) if arguments.get("signing_cert") else None
    signing_key = None if signed_elsewhere else _signing_key(arguments, issuer)
    key, public_key = _subject_keys(arguments, request, issuer, signing_key)
    subject = distinguished_name(arguments.get("subject") or _attributes(arguments))
    parties = Parties(public_key, issuer, public_key if issuer is None else None)
    days_valid = arguments.get("days_valid")
    return Certificate(
        subject=subject,
        issuer=subject if issuer is None else issuer.subject,
        public_key=public_key,
        serial_number=serial_number(arguments.get("serial_number")),
        not_before=_moment(arguments.get("not_before"), 0),
        not_after=_moment(arguments.get("not_after"), 30 if days_valid is None else days_valid),
        extensions=_certificate_extensions(arguments, request, parties),
        signing_key=signing_key,
        signing_cert=issuer,
        key=key,
    )


def request(private_key: Any, passphrase: str | None, arguments: Mapping[str, Any]) -> SigningRequest:
    """Return the plan of a request, without extensions that only the issuer may set."""
    # Extensions that only the issuer may set are ignored here, because SLS share one set of extensions
    # between request and certificate.
    known = ("subject", *words.CERTIFICATE_EXTENSIONS, *words.NAME_ATTRIBUTES)
    words.check_known(arguments, known)
    key = loading.private_key(private_key, passphrase)
    subject = distinguished_name(arguments.get("subject") or _attributes(arguments))
    parties = Parties(key.public_key())
    wanted = {name: arguments[name] for name in words.REQUEST_EXTENSIONS if arguments.get(name) is not None}
    return SigningRequest(subject, key, [extension(name, value, parties) for name, value in wanted.items()])


def revocation_list(
    signing_private_key: Any,
    revoked: Iterable[Mapping[str, Any]],
    *,
    signing_cert: Any = None,
    passphrase: str | None = None,
    include_expired: bool = False,
    days_valid: float = 100,
    extensions: Mapping[str, Any] | None = None,
) -> RevocationList:
    """Return the plan of a revocation list; expired certificates are omitted by default."""
    key = loading.private_key(signing_private_key, passphrase)
    issuer = loading.certificate(signing_cert) if signing_cert else None
    if issuer is None:
        raise InvocationError(
            "Creating a revocation list requires a signing_cert, whose subject is its issuer"
        )
    _check_pair(issuer, key)
    wanted = words.with_current_words(extensions or {})
    words.check_known(wanted, words.CRL_EXTENSIONS)
    parties = Parties(None, issuer)
    entries = (_revoked(entry, include_expired) for entry in revoked)
    return RevocationList(
        issuer=issuer.subject,
        signing_key=key,
        days_valid=days_valid,
        revoked=[entry for entry in entries if entry is not None],
        extensions=[extension(name, value, parties) for name, value in wanted.items()],
    )


def serial_number(given: Any) -> int:
    """Return the serial number of a certificate from an int, hexadecimal text, or None for a random one."""
    if given is None:
        return x509.random_serial_number()
    if isinstance(given, int):
        return given
    try:
        return int.from_bytes(bytes.fromhex(given.replace(":", "")), "big")
    except (AttributeError, ValueError) as exc:
        raise CommandExecutionError(f"Could not parse serial number {given}") from exc


def _attributes(arguments: Mapping[str, Any]) -> Arguments:
    return {name: arguments[name] for name in ATTRIBUTE_OIDS if arguments.get(name) is not None}


def _moment(text: Any, days: float) -> datetime.datetime:
    return times.moment(text) if text else times.in_days(days)


def _signing_key(arguments: Mapping[str, Any], issuer: x509.Certificate | None) -> Any:
    passphrase = arguments.get("signing_private_key_passphrase")
    key = loading.private_key(arguments.get("signing_private_key"), passphrase)
    if issuer is not None:
        _check_pair(issuer, key)
    return key


def _check_pair(issuer: x509.Certificate, key: Any) -> None:
    if not keys.is_pair(issuer.public_key(), key):
        raise InvocationError("Signing private key does not match the certificate's public key")


def _subject_keys(
    arguments: Mapping[str, Any],
    request: x509.CertificateSigningRequest | None,
    issuer: x509.Certificate | None,
    signing_key: Any,
) -> tuple[Any, Any]:
    """Return the subject's private key (None if only the public one is known) and its public key."""
    if issuer is None:
        if signing_key is None:
            raise InvocationError("The signing policy of the ca_server has no signing_cert")
        return signing_key, signing_key.public_key()
    if arguments.get("private_key"):
        key = loading.private_key(arguments["private_key"], arguments.get("private_key_passphrase"))
        return key, key.public_key()
    if arguments.get("public_key"):
        return None, loading.public_key(arguments["public_key"])
    if request is not None:
        return None, request.public_key()
    raise InvocationError(
        "This certificate is not self-signed (signing_cert is set) and thus "
        "needs public_key, private_key or csr to derive public key to sign"
    )


def _certificate_extensions(
    arguments: Mapping[str, Any], request: x509.CertificateSigningRequest | None, parties: Parties
) -> list[Extension]:
    """Return the extensions in the arguments, followed by the request's other permitted extensions.

    A policy forbids an extension by setting it to null.
    """
    wanted = {name: arguments[name] for name in words.CERTIFICATE_EXTENSIONS if name in arguments}
    made = [extension(name, value, parties) for name, value in wanted.items() if value is not None]
    forbidden = {name for name, value in wanted.items() if value is None}
    return (
        made
        if request is None
        else [*made, *_copied(request, {type(item.value) for item in made}, forbidden)]
    )


def _copied(
    request: x509.CertificateSigningRequest, present: set[type], forbidden: set[str]
) -> Iterable[Extension]:
    for name in words.REQUEST_EXTENSIONS:
        kind: Any = TYPES.get(name)
        if kind is None or kind in present or name in forbidden:
            continue
        for item in request.extensions:
            if isinstance(item.value, kind):
                yield Extension(item.value, item.critical)


def _revoked(entry: Mapping[str, Any], include_expired: bool) -> Revoked | None:
    """Return an entry, or None for a certificate that has expired and need not be revoked."""
    not_after = times.moment(entry["not_after"]) if "not_after" in entry else None
    number = entry.get("serial_number")
    if "certificate" in entry:
        found = loading.certificate(entry["certificate"])
        number, not_after = found.serial_number, found.not_valid_after_utc
    if not number:
        raise InvocationError("Need serial_number or certificate")
    if not_after and not include_expired and times.now() > not_after:
        return None
    wanted = entry.get("extensions") or {}
    words.check_known(wanted, words.CRL_ENTRY_EXTENSIONS)
    return Revoked(
        serial_number=serial_number(number),
        when=_moment(entry.get("revocation_date"), 0),
        extensions=[extension(name, value) for name, value in wanted.items()],
    )

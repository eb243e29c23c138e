"""Plans of SSH certificates, before they are signed.

The execution module signs a plan; the state compares it with the existing certificate.
Units: `ttl` in seconds or as a span (`30d`); times in UTC.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from cryptography.hazmat.primitives.serialization import (
    SSHCertificate,
    SSHCertificateBuilder,
    SSHCertificateType,
)

import salt_g.x509.ssh.loading as loading
from salt_g.errors import CommandExecutionError, InvocationError
from salt_g.x509 import times
from salt_g.x509.times import span_seconds

TYPES = {"user": SSHCertificateType.USER, "host": SSHCertificateType.HOST}
#: Default validity of a certificate (s).
_TTL = {"user": 86400, "host": 30 * 86400}


class SshCertificatePlan(NamedTuple):
    """Unsigned certificate; no principals means all of them, and times are Unix times (s)."""

    cert_type: str
    public_key: Any
    serial: int
    key_id: bytes | None
    principals: list[bytes]
    valid_after: int
    valid_before: int
    critical_options: dict[bytes, bytes]
    extensions: dict[bytes, bytes]

    def sign(self, key: Any) -> SSHCertificate:
        """Sign and return the certificate; raise InvocationError if it would be invalid."""
        try:
            return self._builder().sign(key)
        except (TypeError, ValueError) as exc:
            raise InvocationError(str(exc)) from exc

    def _builder(self) -> SSHCertificateBuilder:
        builder = SSHCertificateBuilder().public_key(self.public_key).serial(self.serial)
        builder = builder.type(TYPES[self.cert_type])
        builder = builder.valid_after(self.valid_after).valid_before(self.valid_before)
        if self.principals:
            builder = builder.valid_principals(self.principals)
        else:
            builder = builder.valid_for_all_principals()  # type: ignore[no-untyped-call]
        if self.key_id is not None:
            builder = builder.key_id(self.key_id)
        for name, value in self.critical_options.items():
            builder = builder.add_critical_option(name, value)
        for name, value in self.extensions.items():
            builder = builder.add_extension(name, value)
        return builder


def plan(
    *,
    cert_type: str | None = None,
    public_key: Any = None,
    private_key: Any = None,
    private_key_passphrase: str | None = None,
    serial_number: Any = None,
    key_id: str | bytes | None = None,
    valid_principals: Sequence[Any] | None = None,
    all_principals: bool = False,
    not_before: str | None = None,
    not_after: str | None = None,
    ttl: Any = None,
    critical_options: Mapping[str, Any] | None = None,
    extensions: Mapping[str, Any] | None = None,
) -> SshCertificatePlan:
    """Return the plan for the user's arguments; see `ssh_pki.create_certificate`."""
    if cert_type not in TYPES:
        raise InvocationError(f"Cert type needs to be either `user` or `host`, got '{cert_type}'")
    begin = times.moment(not_before) if not_before else times.now()
    span = span_seconds(ttl)
    until = times.moment(not_after).timestamp() if not_after else None
    if until is None:
        until = times.now().timestamp() + (_TTL[cert_type] if span is None else span)
    return SshCertificatePlan(
        cert_type=cert_type,
        public_key=_subject(public_key, private_key, private_key_passphrase),
        serial=_serial(serial_number),
        key_id=None if key_id is None else _bytes(key_id),
        principals=_principals(valid_principals, all_principals),
        valid_after=int(begin.timestamp()),
        valid_before=int(until),
        critical_options=_options(critical_options),
        extensions=_options(extensions),
    )


def _subject(public_key: Any, private_key: Any, passphrase: str | None) -> Any:
    """Return the key to certify."""
    if private_key:
        return loading.private_key(private_key, passphrase).public_key()
    if public_key:
        return loading.public_key(public_key)
    raise InvocationError("Need public_key or private_key to derive public key to sign")


def _principals(names: Sequence[Any] | None, are_all: bool) -> list[bytes]:
    if names:
        return [_bytes(name) for name in names]
    if are_all:
        return []
    raise InvocationError("Must either set all_principals to true or specify principals to allow")


def _serial(number: Any) -> int:
    """Return a serial number from an int, hexadecimal text, or None for a random one."""
    if number is None:
        return secrets.randbits(63)
    if isinstance(number, int):
        return number
    try:
        return int.from_bytes(bytes.fromhex(str(number).replace(":", "")), "big")
    except ValueError as exc:
        raise CommandExecutionError(f"Could not parse serial number {number}") from exc


def _options(options: Mapping[str, Any] | None) -> dict[bytes, bytes]:
    """Encode options for a certificate; True stands for an option without a value, false ones are omitted."""
    given = {name: value for name, value in (options or {}).items() if value}
    return {_bytes(name): b"" if value is True else _bytes(value) for name, value in given.items()}


def _bytes(value: Any) -> bytes:
    return value if isinstance(value, bytes) else str(value).encode()

"""Contents of a certificate, and its validation against an authority."""

from __future__ import annotations

import hashlib
from typing import Any

from salt_g import x509
from salt_g.errors import CommandExecutionError, SaltGError
from salt_g.modules.tls._directory import authority
from salt_g.modules.tls.revocation import revoked

#: OpenSSL's words for attributes that have another name here.
_WORDS = {"MAIL": "emailAddress", "STREET": "street", "SERIALNUMBER": "serialNumber"}


def cert_info(cert: str, digest: str = "sha256") -> dict[str, Any]:
    """Return the fields of a certificate (path or PEM); times are in seconds since 1970.

    Example::

        salt-g tls.cert_info /etc/pki/www.crt
    """
    found = _read(cert)
    fingerprint = hashlib.new(digest, x509.encoding.public(found, "der")).digest()
    extensions = x509.rendering.extensions(found.extensions)
    info = {
        "fingerprint": x509.rendering.pretty_hex(fingerprint),
        "subject": _name(found.subject),
        "issuer": _name(found.issuer),
        "serial_number": found.serial_number,
        "not_before": int(found.not_valid_before_utc.timestamp()),
        "not_after": int(found.not_valid_after_utc.timestamp()),
        "extensions": extensions,
        "signature_algorithm": x509.rendering.oid_name(found.signature_algorithm_oid),
    }
    if "subjectAltName" in extensions:
        names = [name.partition(":") for name in extensions["subjectAltName"]["value"]]
        info["subject_alt_names"] = [value for kind, _, value in names if kind in ("DNS", "IP")]
    return info


def get_expiration_date(cert: str, date_format: str = "%Y-%m-%d") -> str:
    """Return the day on which a certificate expires.

    Example::

        salt-g tls.get_expiration_date /etc/pki/www.crt date_format='%d.%m.%Y'
    """
    return str(_read(cert).not_valid_after_utc.strftime(date_format))


def validate(cert: str, ca_name: str, crl_file: str | None) -> dict[str, Any]:
    """Return {"valid": True} if an authority has signed a certificate that is neither expired nor revoked.

    Returns {"valid": False, "error": reason} for any other certificate.

    crl_file
        The revocation list; None uses the index of the authority.

    Example::

        salt-g tls.validate /etc/pki/mine/certs/www.crt mine crl_file=/etc/pki/mine/crl.pem
    """
    found = _read(cert)
    own = authority(ca_name)
    now = x509.times.now()
    if not x509.keys.has_signed(_read(own.certificate).public_key(), found):
        return {"valid": False, "error": "certificate signature failure"}
    if now < found.not_valid_before_utc:
        return {"valid": False, "error": "certificate is not yet valid"}
    if now > found.not_valid_after_utc:
        return {"valid": False, "error": "certificate has expired"}
    if crl_file is None:
        numbers = {entry["serial_number"] for entry in revoked(own)}
    else:
        numbers = {entry.serial_number for entry in x509.loading.revocation_list(crl_file)}
    if found.serial_number in numbers:
        return {"valid": False, "error": "certificate revoked"}
    return {"valid": True}


def _read(cert: str) -> Any:
    if not (x509.loading.is_file(cert) or "-----BEGIN" in str(cert)):
        raise FileNotFoundError(2, "No such file or directory", cert)
    try:
        return x509.loading.certificate(cert)
    except SaltGError as exc:
        raise CommandExecutionError(f"Failed to read cert from {cert}: {exc}") from exc


def _name(name: Any) -> dict[str, Any]:
    return {_WORDS.get(key, key): value for key, value in x509.names.plain(name).items()}

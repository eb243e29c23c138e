"""Contents and verification of certificates, requests and revocation lists."""

from __future__ import annotations

import hashlib
import sys
from typing import Any

from salt_g import x509
from salt_g.api import opts
from salt_g.errors import SaltGError
from salt_g.modules._output_file import files_of


def read_certificate(certificate: Any) -> dict[str, Any]:
    """Return the content of a certificate.

    Example::

        salt-g x509.read_certificate /etc/pki/my.crt
    """
    found = x509.loading.certificate(certificate)
    prints = ("sha1", "sha256") if opts.get("fips_mode") else ("sha1", "sha256", "md5")
    der = x509.encoding.public(found, "der")
    return {
        "version": found.version.value + 1,
        **_key(found.public_key()),
        "serial_number": x509.rendering.number_hex(found.serial_number),
        "fingerprints": {name: x509.rendering.pretty_hex(hashlib.new(name, der).digest()) for name in prints},
        **_name("subject", found.subject),
        **_name("issuer", found.issuer),
        "not_before": x509.times.shown(found.not_valid_before_utc),
        "not_after": x509.times.shown(found.not_valid_after_utc),
        "public_key": x509.encoding.public(found.public_key()).decode(),
        "extensions": x509.rendering.extensions(found.extensions),
        "signature_algorithm": x509.rendering.oid_name(found.signature_algorithm_oid),
    }


def read_certificates(glob_path: str) -> dict[str, Any]:
    """Return {path: fields} of the certificates whose paths match a pattern; other files are left out.

    Example::

        salt-g x509.read_certificates '/etc/pki/*.crt'
    """
    found = {}
    for path in files_of(glob_path):
        try:
            found[path] = read_certificate(path)
        except SaltGError:
            continue
    return found


def read_csr(csr: Any) -> dict[str, Any]:
    """Return the fields of a signing request.

    Example::

        salt-g x509.read_csr /etc/pki/my.csr
    """
    found = x509.loading.request(csr)
    return {
        **_key(found.public_key()),
        **_name("subject", found.subject),
        "public_key_hash": x509.rendering.key_hash(found.public_key()),
        "extensions": x509.rendering.extensions(found.extensions),
    }


def read_crl(crl: Any) -> dict[str, Any]:
    """Return the fields of a revocation list.

    Example::

        salt-g x509.read_crl /etc/pki/my.crl
    """
    found = x509.loading.revocation_list(crl)
    return {
        "issuer": x509.names.plain(found.issuer),
        "last_update": x509.times.shown(found.last_update_utc),
        "next_update": x509.times.shown(found.next_update_utc),
        "revoked_certificates": {
            f"{x509.rendering.number_hex(entry.serial_number).replace(':', '')}": {
                "revocation_date": x509.times.shown(entry.revocation_date_utc),
                "extensions": x509.rendering.extensions(entry.extensions),
            }
            for entry in found
        },
        "extensions": x509.rendering.extensions(found.extensions),
        "signature_algorithm": x509.rendering.oid_name(found.signature_algorithm_oid),
    }


def expires(certificate: Any, days: int = 0) -> bool:
    """Return whether a certificate has expired, or will expire within a number of days.

    Example::

        salt-g x509.expires /etc/pki/my.crt days=7
    """
    return bool(x509.loading.certificate(certificate).not_valid_after_utc <= x509.times.in_days(days))


def expired(certificate: Any) -> dict[str, Any]:
    """Return {"path", "cn", "expired"} of a certificate; `path` only for a file, `cn` only if it has one.

    Example::

        salt-g x509.expired /etc/pki/my.crt
    """
    return {**_identity(certificate), "expired": expires(certificate)}


def will_expire(certificate: Any, days: int) -> dict[str, Any]:
    """Return {"check_days", "path", "cn", "will_expire"} of a certificate, see `x509.expired`.

    days
        Number of days to look ahead.

    Example::

        salt-g x509.will_expire /etc/pki/my.crt days=30
    """
    return {"check_days": days, **_identity(certificate), "will_expire": expires(certificate, days)}


def verify_crl(crl: Any, cert: Any) -> bool:
    """Return whether a revocation list was signed by the key of a certificate.

    Example::

        salt-g x509.verify_crl /etc/pki/my.crl /etc/pki/ca.crt
    """
    return bool(x509.loading.revocation_list(crl).is_signature_valid(x509.loading.any_public_key(cert)))


def verify_signature(
    certificate: Any, signing_pub_key: Any = None, signing_pub_key_passphrase: str | None = None
) -> bool:
    """Return whether a certificate was signed with a key, by default with its own.

    signing_pub_key
        The public or private key, or a certificate or request with it.

    Example::

        salt-g x509.verify_signature /etc/pki/my.crt /etc/pki/ca.crt
    """
    public = x509.loading.any_public_key(signing_pub_key or certificate, signing_pub_key_passphrase)
    return x509.keys.has_signed(public, x509.loading.certificate(certificate))


def _identity(certificate: Any) -> dict[str, Any]:
    path = {"path": certificate} if x509.loading.is_file(certificate) else {}
    name = x509.names.common_name(x509.loading.certificate(certificate).subject)
    return path if name is None else {**path, "cn": name}


def _key(public: Any) -> dict[str, Any]:
    kind = x509.keys.kind(public)
    return {"key_size": x509.keys.size(public) if kind in ("ec", "rsa") else None, "key_type": kind}


def _name(which: str, name: Any) -> dict[str, Any]:
    # OpenSSL names files of certificates by these four bytes, in the machine's own order.
    digest = hashlib.sha1(name.public_bytes(), usedforsecurity=False).digest()[:4]
    return {
        which: x509.names.plain(name),
        f"{which}_hash": x509.rendering.pretty_hex(digest[::-1] if sys.byteorder == "little" else digest),
        f"{which}_str": name.rfc4514_string(),
    }

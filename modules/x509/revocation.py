"""Certificate revocation lists."""

from __future__ import annotations

from typing import Any

from salt_g import x509
from salt_g.modules.x509._output import deliver
from salt_g.x509.words import check_choice, check_known, current_keywords

_ENCODINGS = ("der", "pem")
#: Days that a list is valid.
_DAYS_VALID = 100


def create_crl(
    signing_private_key: Any,
    revoked: list[dict[str, Any]],
    signing_cert: Any = None,
    signing_private_key_passphrase: str | None = None,
    include_expired: bool = False,
    days_valid: int | None = None,
    digest: str = "sha256",
    encoding: str = "pem",
    extensions: dict[str, Any] | None = None,
    path: str | None = None,
    raw: bool = False,
    **kwargs: Any,
) -> Any:
    """Create a revocation list and return it, or write it to `path`.

    revoked
        Dicts with `certificate` or `serial_number`, and optionally `revocation_date`, `not_after`
        (`2030-01-31 12:00:00`, UTC) and `extensions` (`CRLReason`, `invalidityDate`, `certificateIssuer`).
    signing_cert
        The certificate of the signing key (required).
    include_expired
        Include expired certificates.
    days_valid
        Days until the next list, 100 by default.
    extensions
        `cRLNumber`, `authorityKeyIdentifier`, `issuingDistributionPoint` and others.

    Example::

        salt-g x509.create_crl /etc/pki/ca.key '[{serial_number: AB12}]' signing_cert=/etc/pki/ca.crt
    """
    given = current_keywords(kwargs)
    digest = given.pop("digest", digest)
    check_known(given, ("signing_cert", "include_expired", "days_valid", "digest", "extensions", "path"))
    check_choice("encoding", encoding, _ENCODINGS)
    plan = x509.plans.revocation_list(
        signing_private_key,
        x509.policies.revoked(revoked),
        signing_cert=signing_cert,
        passphrase=signing_private_key_passphrase,
        include_expired=include_expired,
        days_valid=_DAYS_VALID if days_valid is None else days_valid,
        extensions=extensions,
    )
    data = x509.encoding.public(plan.sign(digest), encoding)
    return deliver(data, encoding, path=path, raw=raw, what="CRL")


def encode_crl(crl: Any, encoding: str = "pem", raw: bool = False) -> Any:
    """Return a revocation list in another encoding.

    Example::

        salt-g x509.encode_crl /etc/pki/my.crl encoding=der
    """
    check_choice("encoding", encoding, _ENCODINGS)
    data = x509.encoding.public(x509.loading.revocation_list(crl), encoding)
    return deliver(data, encoding, path=None, raw=raw, what="CRL")

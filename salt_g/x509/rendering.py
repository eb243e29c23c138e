"""Extensions and numbers of certificates as plain dicts and text."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from cryptography import x509

import salt_g.x509.names as names
import salt_g.x509.times as times

#: Name that the library gives to an unknown object identifier.
_UNKNOWN = "Unknown OID"


def pretty_hex(value: bytes | str) -> str:
    """Format digits as `AB:CD:EF`."""
    digits = value.hex() if isinstance(value, bytes) else value
    digits = digits.upper() if len(digits) % 2 == 0 else f"0{digits}".upper()
    return ":".join(digits[at : at + 2] for at in range(0, len(digits), 2))


def number_hex(number: int) -> str:
    """Format a number, such as a certificate's, as `AB:CD:EF`."""
    return pretty_hex(f"{number:X}")


def key_hash(public: Any) -> str:
    """Return the digest that identifies a public key in certificates."""
    return pretty_hex(x509.SubjectKeyIdentifier.from_public_key(public).digest)


def oid_name(oid: x509.ObjectIdentifier) -> str:
    """Return the name of an object identifier, or its dotted digits if it has no name."""
    known: str = getattr(oid, "_name", _UNKNOWN)
    return oid.dotted_string if known == _UNKNOWN else known


def extensions(found: Iterable[x509.Extension[Any]]) -> dict[str, dict[str, Any]]:
    """Return {name: {"critical": …, …}} of the extensions that have a known name."""
    by_type = {type(item.value): item for item in found}
    return {name: _shown(by_type[kind]) for name, kind in TYPES.items() if kind in by_type}


def _shown(item: x509.Extension[Any]) -> dict[str, Any]:
    return {"critical": item.critical, **_RENDERERS[type(item.value)](item.value)}


def _key_usage(value: x509.KeyUsage) -> dict[str, Any]:
    agrees = value.key_agreement
    return {
        "cRLSign": value.crl_sign,
        "dataEncipherment": value.data_encipherment,
        "decipherOnly": value.decipher_only if agrees else False,
        "digitalSignature": value.digital_signature,
        "encipherOnly": value.encipher_only if agrees else False,
        "keyAgreement": agrees,
        "keyCertSign": value.key_cert_sign,
        "keyEncipherment": value.key_encipherment,
        "nonRepudiation": value.content_commitment,
    }


def _authority_key_identifier(value: x509.AuthorityKeyIdentifier) -> dict[str, Any]:
    number = value.authority_cert_serial_number
    return {
        "keyid": pretty_hex(value.key_identifier) if value.key_identifier else None,
        "issuer": _names(value.authority_cert_issuer) or None,
        "issuer_sn": number_hex(number) if number else None,
    }


def _access(value: x509.AuthorityInformationAccess) -> dict[str, Any]:
    return {"value": [{oid_name(item.access_method): str(item.access_location.value)} for item in value]}


def _points(value: Iterable[x509.DistributionPoint]) -> dict[str, Any]:
    return {
        "value": [
            {
                "crlissuer": _names(point.crl_issuer),
                "fullname": _names(point.full_name),
                "reasons": sorted(reason.value for reason in point.reasons or ()),
                "relativename": point.relative_name.rfc4514_string() if point.relative_name else None,
            }
            for point in value
        ]
    }


def _issuing_point(value: x509.IssuingDistributionPoint) -> dict[str, Any]:
    return {
        "fullname": _names(value.full_name),
        # Misspelt as in stock, because callers expect this key.
        "onysomereasons": sorted(reason.value for reason in value.only_some_reasons or ()),
        "relativename": value.relative_name.rfc4514_string() if value.relative_name else None,
        "onlyuser": value.only_contains_user_certs,
        "onlyCA": value.only_contains_ca_certs,
        "onlyAA": value.only_contains_attribute_certs,
        "indirectCRL": value.indirect_crl,
    }


def _policies(value: x509.CertificatePolicies) -> dict[str, Any]:
    return {
        "value": [
            {oid_name(item.policy_identifier): [_qualifier(part) for part in item.policy_qualifiers or ()]}
            for item in value
        ]
    }


def _qualifier(part: str | x509.UserNotice) -> dict[str, Any]:
    if isinstance(part, str):
        return {"practice_statement": part}
    reference = part.notice_reference
    return {
        # Misspelt as in stock, because callers expect this key.
        "organizataion": reference.organization if reference else None,
        "notice_numbers": reference.notice_numbers if reference else None,
        "explicit_text": part.explicit_text,
    }


def _names(found: Iterable[x509.GeneralName] | None) -> list[str]:
    return [names.shown(name) for name in found or ()]


def _general_names(value: Iterable[x509.GeneralName]) -> dict[str, Any]:
    return {"value": _names(value)}


def _invalidity(value: x509.InvalidityDate) -> dict[str, Any]:
    # Before release 43, the library has only the time without a zone; later releases warn about its use.
    when = getattr(value, "invalidity_date_utc", None) or value.invalidity_date
    return {"value": times.shown(when)}


_RENDERERS: dict[type, Callable[[Any], dict[str, Any]]] = {
    x509.BasicConstraints: lambda value: {"ca": value.ca, "pathlen": value.path_length},
    x509.KeyUsage: _key_usage,
    x509.ExtendedKeyUsage: lambda value: {"value": [oid_name(oid) for oid in value]},
    x509.SubjectKeyIdentifier: lambda value: {"value": pretty_hex(value.digest)},
    x509.AuthorityKeyIdentifier: _authority_key_identifier,
    x509.IssuerAlternativeName: _general_names,
    x509.AuthorityInformationAccess: _access,
    x509.SubjectAlternativeName: _general_names,
    x509.CRLDistributionPoints: _points,
    x509.IssuingDistributionPoint: _issuing_point,
    x509.CertificatePolicies: _policies,
    x509.PolicyConstraints: lambda value: {
        "inhibitPolicyMapping": value.inhibit_policy_mapping,
        "requireExplicitPolicy": value.require_explicit_policy,
    },
    x509.InhibitAnyPolicy: lambda value: {"value": value.skip_certs},
    x509.NameConstraints: lambda value: {
        "excluded": _names(value.excluded_subtrees),
        "permitted": _names(value.permitted_subtrees),
    },
    x509.OCSPNoCheck: lambda value: {"value": True},
    x509.TLSFeature: lambda value: {"value": [feature.name for feature in value]},
    x509.CRLNumber: lambda value: {"value": value.crl_number},
    x509.DeltaCRLIndicator: lambda value: {"value": value.crl_number},
    x509.FreshestCRL: _points,
    x509.CertificateIssuer: _general_names,
    x509.CRLReason: lambda value: {"value": value.reason.value},
    x509.InvalidityDate: _invalidity,
}
#: Type of each extension by our name for it, in display order.
TYPES: dict[str, type] = {
    "basicConstraints": x509.BasicConstraints,
    "keyUsage": x509.KeyUsage,
    "extendedKeyUsage": x509.ExtendedKeyUsage,
    "subjectKeyIdentifier": x509.SubjectKeyIdentifier,
    "authorityKeyIdentifier": x509.AuthorityKeyIdentifier,
    "issuerAltName": x509.IssuerAlternativeName,
    "authorityInfoAccess": x509.AuthorityInformationAccess,
    "subjectAltName": x509.SubjectAlternativeName,
    "crlDistributionPoints": x509.CRLDistributionPoints,
    "issuingDistributionPoint": x509.IssuingDistributionPoint,
    "certificatePolicies": x509.CertificatePolicies,
    "policyConstraints": x509.PolicyConstraints,
    "inhibitAnyPolicy": x509.InhibitAnyPolicy,
    "nameConstraints": x509.NameConstraints,
    "noCheck": x509.OCSPNoCheck,
    "tlsfeature": x509.TLSFeature,
    "cRLNumber": x509.CRLNumber,
    "deltaCRLIndicator": x509.DeltaCRLIndicator,
    "freshestCRL": x509.FreshestCRL,
    "certificateIssuer": x509.CertificateIssuer,
    "CRLReason": x509.CRLReason,
    "invalidityDate": x509.InvalidityDate,
}

"""Words that users write in SLS: extensions, attributes of names, old spellings.

Independent of the library's types, so that settings can be checked and policies merged without it.
Source: OpenSSL's x509v3_config(5); stock docs of `x509.create_certificate`.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping
from typing import Any

from salt_g.errors import CommandExecutionError, InvocationError
from salt_g.shapes import Arguments

#: Attributes of a name, in the order of a name built from keywords.
NAME_ATTRIBUTES = ("C", "ST", "L", "STREET", "O", "OU", "CN", "MAIL", "SN", "GN", "UID", "SERIALNUMBER")
#: Extensions of certificates, in the order in which they are written.
CERTIFICATE_EXTENSIONS = (
    *("basicConstraints", "keyUsage", "extendedKeyUsage", "subjectKeyIdentifier", "authorityKeyIdentifier"),
    *("issuerAltName", "authorityInfoAccess", "subjectAltName", "crlDistributionPoints"),
    *("certificatePolicies", "policyConstraints", "inhibitAnyPolicy", "nameConstraints", "noCheck"),
    *("tlsfeature", "nsComment", "nsCertType"),
)
#: Extensions omitted from a request, because only the issuer may set them.
NOT_IN_REQUESTS = ("authorityInfoAccess", "authorityKeyIdentifier", "issuerAltName", "crlDistributionPoints")
REQUEST_EXTENSIONS = tuple(name for name in CERTIFICATE_EXTENSIONS if name not in NOT_IN_REQUESTS)
#: Extensions of a revocation list, and of one of its entries.
CRL_EXTENSIONS = (
    *("authorityKeyIdentifier", "authorityInfoAccess", "cRLNumber", "deltaCRLIndicator", "freshestCRL"),
    *("issuerAltName", "issuingDistributionPoint"),
)
CRL_ENTRY_EXTENSIONS = ("certificateIssuer", "CRLReason", "invalidityDate")
#: Arguments of older versions, with their current names.
OLD_WORDS = {
    "commonName": "CN",
    "localityName": "L",
    "stateOrProvinceName": "ST",
    "organizationName": "O",
    "organizationUnitName": "OU",
    "givenName": "GN",
    "surname": "SN",
    "Email": "MAIL",
    "emailAddress": "MAIL",
    "serialNumber": "SERIALNUMBER",
    "X509v3 Basic Constraints": "basicConstraints",
    "X509v3 Key Usage": "keyUsage",
    "X509v3 Extended Key Usage": "extendedKeyUsage",
    "X509v3 Subject Key Identifier": "subjectKeyIdentifier",
    "X509v3 Authority Key Identifier": "authorityKeyIdentifier",
    "X509v3 Issuer Alternative Name": "issuerAltName",
    "issuserAltName": "issuerAltName",
    "Authority Information Access": "authorityInfoAccess",
    "X509v3 Subject Alternative Name": "subjectAltName",
    "X509v3 CRL Distribution Points": "crlDistributionPoints",
    "X509v3 Issuing Distribution Point": "issuingDistributionPoint",
    "X509v3 Certificate Policies": "certificatePolicies",
    "X509v3 Policy Constraints": "policyConstraints",
    "X509v3 Inhibit Any Policy": "inhibitAnyPolicy",
    "X509v3 Name Constraints": "nameConstraints",
    "OCSP No Check": "noCheck",
    "TLS Feature": "tlsfeature",
    "Netscape Comment": "nsComment",
    "Netscape Certificate Type": "nsCertType",
    "CRLNumber": "cRLNumber",
    "X509v3 CRLNumber": "cRLNumber",
    "X509v3 Delta CRL Indicator": "deltaCRLIndicator",
    "x509v3 Freshest CRL": "freshestCRL",
}


#: Keywords of the first `x509` module that never had an effect; its other old keywords are refused.
_WITHOUT_MEANING = ("overwrite", "text", "verbose")
#: {argument: its only possible value}, for the certificate version and for the key in the container. Such an
#: argument is dropped.
_ONLY_VALUES = {"version": "3", "pkcs12_embed_private_key": "True"}
_RENAMED = {"algorithm": "digest", "bits": "keysize"}


def current_keywords(arguments: Mapping[str, Any]) -> Arguments:
    """Return keywords under their current names, without the job's own and obsolete keywords."""
    return with_current_words(
        {
            _RENAMED.get(name, name): value
            for name, value in arguments.items()
            if not (name in _WITHOUT_MEANING or _happens_anyway(name, value) or name.startswith("_"))
        }
    )


def _happens_anyway(name: str, value: Any) -> bool:
    return str(value) == _ONLY_VALUES.get(name)


def with_current_words(arguments: Mapping[str, Any]) -> Arguments:
    """Return arguments with old spellings replaced by current words."""
    return {OLD_WORDS.get(name, name): value for name, value in arguments.items()}


def check_choice(what: str, value: Any, valid: Iterable[str]) -> None:
    """Raise CommandExecutionError for a value that is not a valid choice."""
    valid = tuple(valid)
    if str(value).lower() not in valid:
        raise CommandExecutionError(
            f"Invalid value '{value}' for {what}. Valid: {', '.join(valid)}{_hint(str(value).lower(), valid)}"
        )


def check_known(arguments: Iterable[str], known: Iterable[str]) -> None:
    """Raise InvocationError for unknown keywords, except those that the job adds (`__pub_jid`)."""
    known = tuple(known)
    unknown = [name for name in arguments if name not in known and not name.startswith("_")]
    if unknown:
        raise InvocationError(f"Unrecognized keyword arguments: {unknown}{_hint(unknown[0], known)}")


def _hint(word: str, known: tuple[str, ...]) -> str:
    lowered = {name.lower(): name for name in known}
    near = difflib.get_close_matches(word.lower(), lowered, 1)
    return f"; nearest: {lowered[near[0]]}" if near else ""

"""Construction of extensions from users' values; the table at the end maps names to functions.

Shapes: a maker takes the value and the Parties, and returns the extension's value. Only `extension` evaluates
the critical mark.
Source: RFC 5280 section 4.2; OpenSSL's x509v3_config(5).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from cryptography import x509

import salt_g.x509.confstring as confstring
from salt_g.errors import CommandExecutionError, InvocationError
from salt_g.x509.distribution import distribution_points, issuing_distribution_point
from salt_g.x509.names import general_name, general_names, object_identifier
from salt_g.x509.times import moment

#: Extensions that are never marked as critical, whatever the user specifies.
_NEVER_CRITICAL = ("authorityInfoAccess", "freshestCRL", "cRLNumber")
#: Extensions that must not be marked as critical.
_REFUSED_CRITICAL = ("subjectKeyIdentifier", "authorityKeyIdentifier")
_USAGES = {
    "digitalSignature": "digital_signature",
    "nonRepudiation": "content_commitment",
    "keyEncipherment": "key_encipherment",
    "dataEncipherment": "data_encipherment",
    "keyAgreement": "key_agreement",
    "keyCertSign": "key_cert_sign",
    "cRLSign": "crl_sign",
    "encipherOnly": "encipher_only",
    "decipherOnly": "decipher_only",
}
_EXTENDED_USAGES = {
    "serverAuth": "1.3.6.1.5.5.7.3.1",
    "clientAuth": "1.3.6.1.5.5.7.3.2",
    "codeSigning": "1.3.6.1.5.5.7.3.3",
    "emailProtection": "1.3.6.1.5.5.7.3.4",
    "timeStamping": "1.3.6.1.5.5.7.3.8",
    "OCSPSigning": "1.3.6.1.5.5.7.3.9",
    "msSmartcardLogin": "1.3.6.1.4.1.311.20.2.2",
    "pkInitKDC": "1.3.6.1.5.2.3.5",
    "ipsecIKE": "1.3.6.1.5.5.7.3.17",
    "msCodeInd": "1.3.6.1.4.1.311.2.1.21",
    "msCodeCom": "1.3.6.1.4.1.311.2.1.22",
    "msCTLSign": "1.3.6.1.4.1.311.10.3.1",
    "msEFS": "1.3.6.1.4.1.311.10.3.4",
}
_ACCESS = {
    "OCSP": "1.3.6.1.5.5.7.48.1",
    "caIssuers": "1.3.6.1.5.5.7.48.2",
    "caRepository": "1.3.6.1.5.5.7.48.5",
}


class Parties(NamedTuple):
    """Keys and certificates to which an extension can refer; None if not available."""

    subject_key: Any = None
    issuer: x509.Certificate | None = None
    issuer_key: Any = None


class Extension(NamedTuple):
    """Value of an extension, and whether it is critical."""

    value: x509.ExtensionType
    critical: bool


def extension(name: str, value: Any, parties: Parties = Parties()) -> Extension:  # noqa: B008
    """Build the extension with this name from a user's value."""
    if name not in _MAKERS:
        raise CommandExecutionError(f"Unknown extension {name}")
    critical = confstring.is_critical(value)
    if critical and name in _REFUSED_CRITICAL:
        raise InvocationError(f"{name} must be marked as non-critical")
    try:
        return Extension(_MAKERS[name](value, parties), critical and name not in _NEVER_CRITICAL)
    except (ValueError, TypeError, AttributeError, KeyError) as exc:
        if isinstance(exc, InvocationError):
            raise
        raise InvocationError(f"Invalid configuration for {name}: {exc}") from exc


def _basic_constraints(value: Any, _: Parties) -> x509.ExtensionType:
    given = {key.lower(): item for key, item in confstring.pairs(value)}
    if "ca" not in given:
        raise InvocationError("Undefined required key for basicConstraints: 'ca'")
    length = given.get("pathlen")
    return x509.BasicConstraints(
        str(given["ca"]).lower() in ("true", "1", "yes"), None if length is None else int(length)
    )


def _key_usage(value: Any, _: Parties) -> x509.ExtensionType:
    given = [word for part in confstring.words(value) for word in part.split()]
    _check_words("keyUsage", given, _USAGES)
    return x509.KeyUsage(**{argument: word in given for word, argument in _USAGES.items()})


def _extended_key_usage(value: Any, _: Parties) -> x509.ExtensionType:
    return x509.ExtendedKeyUsage(
        [object_identifier(_EXTENDED_USAGES.get(word, word)) for word in confstring.words(value)]
    )


def _subject_key_identifier(value: Any, parties: Parties) -> x509.ExtensionType:
    if value == "hash":
        return x509.SubjectKeyIdentifier.from_public_key(parties.subject_key)
    if isinstance(value, str):
        try:
            value = bytes.fromhex(value.replace(":", ""))
        except ValueError as exc:
            raise InvocationError("Value must be precomputed hash") from exc
    if not isinstance(value, bytes):
        raise InvocationError("Value must be a (hex-)digest or pubkey")
    return x509.SubjectKeyIdentifier(value)


def _authority_key_identifier(value: Any, parties: Parties) -> x509.ExtensionType:
    given = confstring.options(value)
    key_id = _issuer_key_id(parties) if "keyid" in given else None
    if given.get("keyid") == "always" and key_id is None:
        raise CommandExecutionError(
            "Could not retrieve authorityKeyIdentifier keyid, but it was set to always"
        )
    wants_issuer = given.get("issuer") == "always" or ("issuer" in given and key_id is None)
    if wants_issuer and parties.issuer is not None:
        names = [x509.DirectoryName(parties.issuer.issuer)]
        return x509.AuthorityKeyIdentifier(key_id, names, parties.issuer.serial_number)
    if given.get("issuer") == "always":
        raise CommandExecutionError(
            "Could not add authority_cert_issuer and authority_cert_serial_number, but was set to always."
        )
    return x509.AuthorityKeyIdentifier(key_id, None, None)


def _issuer_key_id(parties: Parties) -> bytes | None:
    """Return the key identifier of the issuer's certificate, or the one computed from its key."""
    if parties.issuer is not None:
        try:
            return parties.issuer.extensions.get_extension_for_class(x509.SubjectKeyIdentifier).value.digest
        except x509.ExtensionNotFound:
            return _key_id(parties.issuer.public_key())
    return None if parties.issuer_key is None else _key_id(parties.issuer_key)


def _key_id(key: Any) -> bytes | None:
    return x509.AuthorityKeyIdentifier.from_issuer_public_key(key).key_identifier


def _subject_alt_name(value: Any, _: Parties) -> x509.ExtensionType:
    return x509.SubjectAlternativeName(general_names(confstring.pairs(value)))


def _issuer_alt_name(value: Any, parties: Parties) -> x509.ExtensionType:
    return x509.IssuerAlternativeName(_names_of_issuer(value, parties))


def _certificate_issuer(value: Any, parties: Parties) -> x509.ExtensionType:
    return x509.CertificateIssuer(_names_of_issuer(value, parties))


def _names_of_issuer(value: Any, parties: Parties) -> list[x509.GeneralName]:
    """Return general names, with `issuer:copy` replaced by the names in the issuer's certificate."""
    given = list(confstring.pairs(value))
    names = general_names(pair for pair in given if pair != ("issuer", "copy"))
    if ("issuer", "copy") not in given:
        return names
    if parties.issuer is None:
        raise InvocationError("Need CA certificate to copy to issuerAltName")
    try:
        copied = parties.issuer.extensions.get_extension_for_class(x509.SubjectAlternativeName)
    except x509.ExtensionNotFound as exc:
        raise CommandExecutionError(str(exc)) from exc
    return [*copied.value, *names]


def _authority_info_access(value: Any, _: Parties) -> x509.ExtensionType:
    if isinstance(value, str):
        given = [tuple(part.split(";", 1)) for part in confstring.words(value)]
    else:
        given = list(confstring.pairs(value))
    descriptions = []
    for method, name in given:
        try:
            oid = object_identifier(_ACCESS.get(method, method))
        except CommandExecutionError as exc:
            raise CommandExecutionError(f"Unknown access OID: {method}") from exc
        descriptions.append(x509.AccessDescription(oid, general_name(name)))
    return x509.AuthorityInformationAccess(descriptions)


def _crl_distribution_points(value: Any, _: Parties) -> x509.ExtensionType:
    return x509.CRLDistributionPoints(distribution_points(value))


def _freshest_crl(value: Any, _: Parties) -> x509.ExtensionType:
    return x509.FreshestCRL(distribution_points(value))


def _issuing_distribution_point(value: Any, _: Parties) -> x509.ExtensionType:
    return issuing_distribution_point(value)


def _certificate_policies(value: Any, _: Parties) -> x509.ExtensionType:
    if isinstance(value, Mapping):
        given = {key: item for key, item in value.items() if key != "critical"}
        return x509.CertificatePolicies([_policy(oid, item) for oid, item in given.items()])
    try:
        oids = [object_identifier(word) for word in confstring.words(value)]
    except CommandExecutionError as exc:
        raise InvocationError(
            "certificatePolicies defined as string must be a comma-separated list of OID."
        ) from exc
    return x509.CertificatePolicies([x509.PolicyInformation(oid, None) for oid in oids])


def _policy(oid: Any, qualifiers: Any) -> x509.PolicyInformation:
    given = qualifiers if isinstance(qualifiers, list) else [qualifiers]
    return x509.PolicyInformation(object_identifier(oid), [_qualifier(item) for item in given])


def _qualifier(given: Any) -> str | x509.UserNotice:
    """Return a policy qualifier: a pointer to a practice statement (text) or a user notice (dict)."""
    if not isinstance(given, Mapping):
        return str(given)
    numbers = given.get("noticeNumbers")
    reference = x509.NoticeReference(given.get("organization"), numbers) if numbers else None
    return x509.UserNotice(reference, given.get("text"))


def _policy_constraints(value: Any, _: Parties) -> x509.ExtensionType:
    given = confstring.options(value)
    _check_words("policyConstraints", given, ("requireExplicitPolicy", "inhibitPolicyMapping"))
    numbers = {key: int(item) for key, item in given.items()}
    return x509.PolicyConstraints(numbers.get("requireExplicitPolicy"), numbers.get("inhibitPolicyMapping"))


def _inhibit_any_policy(value: Any, _: Parties) -> x509.ExtensionType:
    if isinstance(value, Mapping):
        return x509.InhibitAnyPolicy(int(value["value"]))
    (number,) = confstring.words(value)
    return x509.InhibitAnyPolicy(int(number))


def _name_constraints(value: Any, _: Parties) -> x509.ExtensionType:
    """Parse `permitted;email:.example.org` parts, or lists under `permitted` and `excluded`."""
    trees: dict[str, list[x509.GeneralName]] = {}
    if isinstance(value, Mapping):
        for scope in ("permitted", "excluded"):
            if scope in value:
                trees[scope] = general_names(confstring.pairs(value[scope]))
    else:
        for part in confstring.words(value):
            scope, _semicolon, name = part.partition(";")
            _check_words("nameConstraints", [scope], ("permitted", "excluded"))
            trees.setdefault(scope, []).append(general_name(name))
    if not trees:
        raise InvocationError("nameConstraints needs at least one definition")
    return x509.NameConstraints(trees.get("permitted"), trees.get("excluded"))


def _no_check(_value: Any, _: Parties) -> x509.ExtensionType:
    return x509.OCSPNoCheck()


def _tls_feature(value: Any, _: Parties) -> x509.ExtensionType:
    given = confstring.words(value)
    known = {feature.name: feature for feature in x509.TLSFeatureType}
    _check_words("tlsfeature", given, known)
    return x509.TLSFeature([known[word] for word in given])


def _crl_number(value: Any, _: Parties) -> x509.ExtensionType:
    try:
        return x509.CRLNumber(int(value))
    except ValueError as exc:
        raise InvocationError("cRLNumber must be an integer and must be marked as non-critical") from exc


def _delta_crl_indicator(value: Any, _: Parties) -> x509.ExtensionType:
    numbers = re.findall(r"\d+", str(value))
    if len(numbers) != 1:
        raise InvocationError("deltaCRLIndicator must contain a single integer pointing to a cRLNumber")
    return x509.DeltaCRLIndicator(int(numbers[0]))


def _crl_reason(value: Any, _: Parties) -> x509.ExtensionType:
    (reason,) = confstring.words(value)
    # The library uses the RFC's spelling, stock's documentation another one.
    return x509.CRLReason(x509.ReasonFlags({"CACompromise": "cACompromise"}.get(reason, reason)))


def _invalidity_date(value: Any, _: Parties) -> x509.ExtensionType:
    text = str(value).removeprefix("critical").lstrip(", ")
    return x509.InvalidityDate(moment(text).replace(tzinfo=None))


def _not_there(name: str) -> Callable[[Any, Parties], x509.ExtensionType]:
    def refuse(_value: Any, _: Parties) -> x509.ExtensionType:
        raise InvocationError(f"{name} is currently not implemented.")

    return refuse


def _check_words(name: str, given: Any, known: Any) -> None:
    unknown = [word for word in given if word not in known]
    if unknown:
        raise InvocationError(f"{name} has no {unknown[0]!r}. Valid: {', '.join(known)}")


_MAKERS: dict[str, Callable[[Any, Parties], x509.ExtensionType]] = {
    "basicConstraints": _basic_constraints,
    "keyUsage": _key_usage,
    "extendedKeyUsage": _extended_key_usage,
    "subjectKeyIdentifier": _subject_key_identifier,
    "authorityKeyIdentifier": _authority_key_identifier,
    "issuerAltName": _issuer_alt_name,
    "certificateIssuer": _certificate_issuer,
    "authorityInfoAccess": _authority_info_access,
    "subjectAltName": _subject_alt_name,
    "crlDistributionPoints": _crl_distribution_points,
    "freshestCRL": _freshest_crl,
    "issuingDistributionPoint": _issuing_distribution_point,
    "certificatePolicies": _certificate_policies,
    "policyConstraints": _policy_constraints,
    "inhibitAnyPolicy": _inhibit_any_policy,
    "nameConstraints": _name_constraints,
    "noCheck": _no_check,
    "tlsfeature": _tls_feature,
    "nsComment": _not_there("nsComment"),
    "nsCertType": _not_there("nsCertType"),
    "cRLNumber": _crl_number,
    "deltaCRLIndicator": _delta_crl_indicator,
    "CRLReason": _crl_reason,
    "invalidityDate": _invalidity_date,
}

"""Certificate data in the events of the beacon `cert_info`.

In a separate file, because it needs an optional library that is slow to import.
Shapes: names and texts are those of OpenSSL, which stock uses: `CN`, `20270131120000Z`,
`DNS:example.org`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from cryptography import x509

from salt_g.x509 import rendering

#: OpenSSL's abbreviations of name attributes; the library uses the full names.
_SHORT = {
    "commonName": "CN",
    "countryName": "C",
    "domainComponent": "DC",
    "givenName": "GN",
    "localityName": "L",
    "organizationName": "O",
    "organizationalUnitName": "OU",
    "stateOrProvinceName": "ST",
    "streetAddress": "street",
    "surname": "SN",
    "userID": "UID",
}
_USAGES = {
    "digital_signature": "Digital Signature",
    "content_commitment": "Non Repudiation",
    "key_encipherment": "Key Encipherment",
    "data_encipherment": "Data Encipherment",
    "key_agreement": "Key Agreement",
    "key_cert_sign": "Certificate Sign",
    "crl_sign": "CRL Sign",
}
_PURPOSES = {
    "serverAuth": "TLS Web Server Authentication",
    "clientAuth": "TLS Web Client Authentication",
    "codeSigning": "Code Signing",
    "emailProtection": "E-mail Protection",
    "timeStamping": "Time Stamping",
    "OCSPSigning": "OCSP Signing",
}
_EXTENSIONS = {kind: name for name, kind in rendering.TYPES.items()}
_NAMES: dict[type, str] = {
    x509.DNSName: "DNS",
    x509.RFC822Name: "email",
    x509.UniformResourceIdentifier: "URI",
    x509.IPAddress: "IP Address",
}


def shown(certificate: x509.Certificate) -> dict[str, Any]:
    """Return the event data of a certificate; raises ValueError for a malformed one."""
    begins, ends = certificate.not_valid_before_utc, certificate.not_valid_after_utc
    issuer, subject = _attributes(certificate.issuer), _attributes(certificate.subject)
    return {
        "issuer": _joined(issuer),
        "issuer_dict": dict(issuer),
        "notAfter_raw": f"{ends:%Y%m%d%H%M%SZ}",
        "notAfter": f"{ends:%Y-%m-%d %H:%M:%SZ}",
        "notBefore_raw": f"{begins:%Y%m%d%H%M%SZ}",
        "notBefore": f"{begins:%Y-%m-%d %H:%M:%SZ}",
        "serial_number": certificate.serial_number,
        "signature_algorithm": rendering.oid_name(certificate.signature_algorithm_oid),
        "subject": _joined(subject),
        "subject_dict": dict(subject),
        "version": certificate.version.value,
        "extensions": [
            {
                "ext_name": _EXTENSIONS.get(type(each.value)) or rendering.oid_name(each.oid),
                "ext_data": _text(each.value),
            }
            for each in certificate.extensions
        ],
    }


def _attributes(name: x509.Name) -> list[tuple[str, str]]:
    named = ((rendering.oid_name(each.oid), each.value) for each in name)
    return [
        (_SHORT.get(oid, oid), value if isinstance(value, str) else value.hex().upper())
        for oid, value in named
    ]


def _joined(attributes: Iterable[tuple[str, str]]) -> str:
    return ",".join(f'{name}="{value}"' for name, value in attributes)


def _text(value: x509.ExtensionType) -> str:
    render = _TEXTS.get(type(value))
    return render(value) if render else str(value)


def _constraints(value: Any) -> str:
    length = "" if value.path_length is None else f", pathlen:{value.path_length}"
    return f"CA:{str(value.ca).upper()}{length}"


def _usages(value: Any) -> str:
    return ", ".join(text for usage, text in _USAGES.items() if getattr(value, usage))


def _purposes(value: Any) -> str:
    return ", ".join(_PURPOSES.get(name, name) for name in map(rendering.oid_name, value))


def _general_names(value: Any) -> str:
    return ", ".join(map(_general_name, value))


def _general_name(name: Any) -> str:
    kind = _NAMES.get(type(name))
    return f"{kind}:{name.value}" if kind else str(name)


def _authority(value: Any) -> str:
    return rendering.pretty_hex(value.key_identifier) if value.key_identifier else str(value)


_TEXTS: dict[type, Callable[[Any], str]] = {
    x509.BasicConstraints: _constraints,
    x509.KeyUsage: _usages,
    x509.ExtendedKeyUsage: _purposes,
    x509.SubjectAlternativeName: _general_names,
    x509.IssuerAlternativeName: _general_names,
    x509.SubjectKeyIdentifier: lambda value: rendering.pretty_hex(value.digest),
    x509.AuthorityKeyIdentifier: _authority,
}

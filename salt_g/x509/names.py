"""Distinguished names, general names and object identifiers: parsing and formatting.

Shapes: a distinguished name is RFC 4514 text, a list of its parts, or {attribute: value}; a
general name is a pair (kind, text), as in ("DNS", "example.org").
Source: RFC 5280 section 4.2.1.6, OpenSSL's x509v3_config(5).
"""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any
from urllib.parse import urlsplit, urlunsplit

from cryptography import x509
from cryptography.x509.oid import NameOID

from salt_g.errors import CommandExecutionError, InvocationError
from salt_g.x509.words import NAME_ATTRIBUTES

#: Object identifier of each attribute that keywords can set.
ATTRIBUTE_OIDS = dict(
    zip(
        NAME_ATTRIBUTES,
        (
            *(NameOID.COUNTRY_NAME, NameOID.STATE_OR_PROVINCE_NAME, NameOID.LOCALITY_NAME),
            *(NameOID.STREET_ADDRESS, NameOID.ORGANIZATION_NAME, NameOID.ORGANIZATIONAL_UNIT_NAME),
            *(NameOID.COMMON_NAME, NameOID.EMAIL_ADDRESS, NameOID.SURNAME, NameOID.GIVEN_NAME),
            *(NameOID.USER_ID, NameOID.SERIAL_NUMBER),
        ),
        strict=True,
    )
)
_OID = re.compile(r"[012](\.\d+)+\Z")


def distinguished_name(value: Any) -> x509.Name:
    """Parse a name in one of the three user forms; return a name object unchanged."""
    if isinstance(value, x509.Name):
        return value
    if isinstance(value, str):
        try:
            return x509.Name.from_rfc4514_string(value)
        except ValueError as exc:
            raise CommandExecutionError("Failed parsing rfc4514 dirName string") from exc
    if isinstance(value, list):
        return x509.Name([relative_name(part) for part in value])
    if isinstance(value, Mapping):
        return x509.Name([_attribute(name, value[name]) for name in NAME_ATTRIBUTES if name in value])
    raise InvocationError("Need string, list or dict to parse distinguished names")


def relative_name(text: str) -> x509.RelativeDistinguishedName:
    """Parse one part of a name, such as `CN=example.org` or `CN=a+OU=b`."""
    try:
        parts = x509.Name.from_rfc4514_string(text).rdns
    except ValueError as exc:
        raise CommandExecutionError(f"Failed parsing rdn string: {text}") from exc
    if len(parts) > 1:
        raise InvocationError(
            "Specified string is not a Relative Distinguished Name, but a Distinguished Name."
        )
    return parts[0]


def plain(name: x509.Name) -> dict[str, Any]:
    """Return {attribute: value} of a name, with the first value of each."""
    found = {short: name.get_attributes_for_oid(oid) for short, oid in ATTRIBUTE_OIDS.items()}
    return {short: attributes[0].value for short, attributes in found.items() if attributes}


def common_name(name: x509.Name) -> str | None:
    """Return the CN of a name, or None if it has none."""
    return plain(name).get("CN")


def object_identifier(text: Any) -> x509.ObjectIdentifier:
    """Parse an object identifier in dotted form."""
    if not _OID.match(str(text)):
        raise CommandExecutionError(f"Invalid oid: {text}")
    return x509.ObjectIdentifier(str(text))


def general_name(text: str) -> x509.GeneralName:
    """Parse one general name, such as `URI:http://example.org`."""
    kind, colon, value = str(text).partition(":")
    if not colon:
        raise InvocationError(f"Expected a name with its kind, as in `DNS:example.org`, got `{text}`")
    return general_names([(kind, value)])[0]


def general_names(pairs: Iterable[tuple[str, Any]]) -> list[x509.GeneralName]:
    """Return general names from pairs (kind, text)."""
    return [_general(str(kind).strip().lower(), value) for kind, value in pairs]


def shown(name: x509.GeneralName) -> str:
    """Return a general name as text with its kind."""
    if isinstance(name, x509.DirectoryName):
        return f"dirName:{name.value.rfc4514_string()}"
    if isinstance(name, x509.IPAddress):
        return f"IP:{name.value.exploded}"
    if isinstance(name, x509.RegisteredID):
        return f"RID:{name.value.dotted_string}"
    prefix = {x509.DNSName: "DNS", x509.RFC822Name: "mail", x509.UniformResourceIdentifier: "URI"}
    return f"{prefix[type(name)]}:{name.value}" if type(name) in prefix else str(name)


def _attribute(name: str, value: Any) -> x509.NameAttribute[Any]:
    try:
        return x509.NameAttribute(ATTRIBUTE_OIDS[name], str(value))
    except (TypeError, ValueError) as exc:
        raise InvocationError(f"{name}: {exc}") from exc


def _general(kind: str, value: Any) -> x509.GeneralName:
    if kind == "othername":
        raise InvocationError("otherName is currently not implemented")
    if kind not in _KINDS:
        raise CommandExecutionError(f"GeneralName type {kind} is invalid. Valid: {', '.join(_KINDS)}")
    try:
        return _KINDS[kind](value)
    except (ValueError, TypeError) as exc:
        if isinstance(exc, InvocationError):
            raise
        raise CommandExecutionError(str(exc)) from exc


def _email(value: str) -> x509.GeneralName:
    user, at, host = value.rpartition("@")
    return x509.RFC822Name(f"{user}@{_host(host)}" if at else _host(host, may_begin_with_dot=True))


def _uri(value: str) -> x509.GeneralName:
    parts = urlsplit(value)
    if parts.netloc:
        value = urlunsplit(parts._replace(netloc=_authority(parts.netloc)))
    return x509.UniformResourceIdentifier(value)


def _authority(netloc: str) -> str:
    """Return user, host and port of a URL with the host in ASCII; literal IPv6 addresses are unchanged."""
    user, at, rest = netloc.rpartition("@")
    if rest.startswith("["):
        return netloc
    host, colon, port = rest.partition(":")
    return f"{user}{at}{_host(host)}{colon}{port}"


def _address(value: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ipaddress.ip_address(value))
    except ValueError:
        pass
    try:
        return x509.IPAddress(ipaddress.ip_network(value))
    except ValueError as exc:
        raise CommandExecutionError(
            f"Provided value {value} does not seem to be an IP address or network range."
        ) from exc


def _host(value: Any, *, may_begin_with_dot: bool = False, may_be_wildcard: bool = False) -> str:
    """Return a host name in ASCII; in constraints `.example.org` means a whole domain."""
    if not isinstance(value, str):
        raise InvocationError(f"Expected string value, got {type(value).__name__}: `{value}`")
    prefix = "." if value.startswith(".") else "*." if value.startswith("*.") else ""
    if prefix == "." and not may_begin_with_dot:
        raise CommandExecutionError("Leading dots are not allowed in this context")
    if prefix == "*." and not may_be_wildcard:
        raise CommandExecutionError("Wildcards are not allowed in this context")
    return prefix + _ascii_host(value[len(prefix) :])


def _ascii_host(value: str) -> str:
    if not value:
        raise CommandExecutionError("Empty domain")
    try:
        # Python's own codec rejects empty and overlong labels, and encodes non-ASCII ones as `xn--…`.
        host = value.encode("idna").decode("ascii")
    except UnicodeError as exc:
        raise CommandExecutionError(f"{value!r} is not a host name: {exc}") from exc
    odd = re.search(r"[^A-Za-z\d\-._]", host)
    if odd:
        raise CommandExecutionError(
            f"Codepoint U+{ord(odd.group()):04X} at position {odd.end()} of '{value}' not allowed"
        )
    return host


#: {kind: function that creates a general name from text}
_KINDS: dict[str, Callable[[Any], x509.GeneralName]] = {
    "email": _email,
    "uri": _uri,
    "dns": lambda value: x509.DNSName(_host(value, may_begin_with_dot=True, may_be_wildcard=True)),
    "rid": lambda value: x509.RegisteredID(object_identifier(value)),
    "ip": _address,
    "dirname": lambda value: x509.DirectoryName(distinguished_name(value)),
}

"""Differences between an existing certificate, request or revocation list and its plan.

Shapes: functions return the `changes` of a state, or {} if there are no differences.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from cryptography import x509
from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives import hashes

import salt_g.x509.keys as keys
import salt_g.x509.plans as plans
from salt_g.shapes import Changes
from salt_g.x509.extensions import Extension
from salt_g.x509.rendering import number_hex, oid_name


def of_certificate(current: x509.Certificate, plan: plans.Certificate, *, number_matters: bool) -> Changes:
    """Compare a certificate with its plan, including the serial number if `number_matters`."""
    changes: Changes = {}
    if number_matters and plan.serial_number != current.serial_number:
        changes["serial_number"] = plan.serial_number
    if not keys.are_same(plan.public_key, current.public_key()):
        changes["private_key"] = True
    if plan.signing_cert is not None and not keys.has_signed(plan.signing_cert.public_key(), current):
        changes["signing_private_key"] = True
    if plan.subject != current.subject:
        changes["subject_name"] = plan.subject.rfc4514_string()
    if plan.issuer != current.issuer:
        changes["issuer_name"] = plan.issuer.rfc4514_string()
    return {**changes, **_of_extensions(current.extensions, plan.extensions)}


def of_request(current: x509.CertificateSigningRequest, plan: plans.SigningRequest) -> Changes:
    """Compare a request with its plan."""
    changes: Changes = {}
    if not keys.is_pair(current.public_key(), plan.signing_key):
        changes["private_key"] = True
    if plan.subject != current.subject:
        changes["subject_name"] = plan.subject.rfc4514_string()
    return {**changes, **_of_extensions(current.extensions, plan.extensions)}


def of_revocation_list(
    current: x509.CertificateRevocationList, plan: plans.RevocationList, *, ignored: Sequence[str] = ()
) -> Changes:
    """Compare a revocation list with its plan, in which the extensions in `ignored` may be missing."""
    changes: Changes = {}
    if plan.issuer != current.issuer:
        changes["issuer_name"] = plan.issuer.rfc4514_string()
    if not current.is_signature_valid(plan.signing_key.public_key()):
        changes["public_key"] = True
    revocations = _of_revocations(current, {entry.serial_number: entry for entry in plan.revoked})
    if any(revocations.values()):
        changes["revocations"] = revocations
    return {**changes, **_of_extensions(current.extensions, plan.extensions, ignored)}


def of_digest(current: Any, digest: str) -> Changes:
    """Compare the digest of a signature; return {} for key types that sign without a separate digest."""
    try:
        used = current.signature_hash_algorithm
    except UnsupportedAlgorithm:
        return {}
    return {"digest": digest} if used is not None and used.name != keys.digest(digest).name else {}


def are_same_chain(current: Sequence[x509.Certificate], wanted: Sequence[x509.Certificate]) -> bool:
    """Return whether two lists contain the same certificates in the same order."""
    prints = [
        [certificate.fingerprint(hashes.SHA256()) for certificate in chain] for chain in (current, wanted)
    ]
    return prints[0] == prints[1]


def _of_extensions(
    current: Iterable[x509.Extension[Any]], wanted: Iterable[Extension], ignored: Sequence[str] = ()
) -> Changes:
    there = {oid_name(item.oid): (item.critical, item.value) for item in current}
    planned = {oid_name(item.value.oid): (item.critical, item.value) for item in wanted}
    changes = {
        "added": [name for name in planned if name not in there],
        "changed": [name for name, item in planned.items() if name in there and there[name] != item],
        "removed": [name for name in there if name not in planned and name not in ignored],
    }
    return {"extensions": changes} if any(changes.values()) else {}


def _of_revocations(
    current: x509.CertificateRevocationList, wanted: Mapping[int, plans.Revoked]
) -> dict[str, list[str]]:
    there = {entry.serial_number: entry for entry in current}
    changed = [
        number
        for number, entry in wanted.items()
        if number in there and _of_extensions(there[number].extensions, entry.extensions)
    ]
    return {
        "added": [number_hex(number) for number in wanted if number not in there],
        "changed": [number_hex(number) for number in changed],
        "removed": [number_hex(number) for number in there if number not in wanted],
    }

"""Differences between an SSH certificate and its plan, as the `changes` of a state."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from cryptography.hazmat.primitives.serialization import SSHCertificate

import salt_g.x509.keys as keys
import salt_g.x509.ssh.loading as loading
from salt_g.shapes import Changes
from salt_g.x509.ssh.plans import TYPES, SshCertificatePlan


def of_certificate(
    found: SSHCertificate, plan: SshCertificatePlan, issuer: Any, *, serial_number: Any = None
) -> Changes:
    """Compare a certificate with a plan and the public key of its issuer.

    `serial_number` is the one requested by the user; a random one is not compared.
    """
    changes: Changes = {}
    if serial_number is not None and plan.serial != found.serial:
        changes["serial_number"] = serial_number
    if not keys.are_same(plan.public_key, found.public_key()):
        changes["private_key"] = True
    if not (loading.is_signed(found) and keys.are_same(issuer, found.signature_key())):
        changes["signing_private_key"] = True
    if plan.key_id is not None and plan.key_id != found.key_id:
        changes["key_id"] = {"old": found.key_id.decode(), "new": plan.key_id.decode()}
    if found.type is not TYPES[plan.cert_type]:
        changes["cert_type"] = plan.cert_type
    parts = {
        "extensions": _options(found.extensions, plan.extensions),
        "critical_options": _options(found.critical_options, plan.critical_options),
        "principals": _principals(found.valid_principals, plan.principals),
    }
    changes.update({name: part for name, part in parts.items() if any(part.values())})
    return changes


def _options(there: Mapping[bytes, bytes], wanted: Mapping[bytes, bytes]) -> dict[str, list[str]]:
    return {
        "added": _texts(name for name in wanted if name not in there),
        "changed": _texts(name for name in wanted if name in there and there[name] != wanted[name]),
        "removed": _texts(name for name in there if name not in wanted),
    }


def _principals(there: list[bytes], wanted: list[bytes]) -> Changes:
    """Return the added and removed principals; an empty list in a certificate means all principals."""
    if not there and not wanted:
        return {}
    if not wanted:
        return {"added": "*ALL*", "removed": []}
    removed: Any = _texts(name for name in there if name not in wanted) if there else "*ALL*"
    return {"added": _texts(name for name in wanted if name not in there), "removed": removed}


def _texts(names: Iterable[bytes]) -> list[str]:
    return [name.decode() for name in names]

"""Signing policies, which override the requested arguments.

The signer applies them, and so does the state, to determine whether a certificate must be renewed.
"""

from __future__ import annotations

import copy
from collections.abc import Iterable, Mapping
from typing import Any

from salt_g.shapes import Arguments
from salt_g.x509.words import NAME_ATTRIBUTES, with_current_words


def as_mapping(policy: Any) -> Arguments:
    """Return a policy as a new dict; SLS and settings often have it as a list of dicts."""
    items = [policy] if isinstance(policy, Mapping) else policy or []
    return {name: copy.deepcopy(value) for item in items for name, value in item.items()}


def enforced(policy: Mapping[str, Any], arguments: Mapping[str, Any]) -> Arguments:
    """Return arguments with a policy applied.

    Subjects are merged: attributes of the policy's keyword form replace a requested subject, two dicts are
    merged, two lists joined; otherwise the policy's subject is used, if it has one.
    """
    if not policy:
        return dict(arguments)
    policy = with_current_words(copy.deepcopy(dict(policy)))
    wanted = with_current_words(arguments)
    if "subject" in wanted:
        subject = _subject(policy, wanted.pop("subject"))
        if subject is not None:
            wanted["subject"] = subject
            policy.pop("subject", None)
    return {**wanted, **policy}


def _subject(policy: Mapping[str, Any], asked: Any) -> Any:
    """Return the requested subject merged with the policy's, or None if only the policy's applies."""
    if any(name in policy for name in NAME_ATTRIBUTES):
        return None
    if "subject" not in policy:
        return asked
    own = policy["subject"]
    if isinstance(own, Mapping) and isinstance(asked, Mapping):
        return {**asked, **own}
    if isinstance(own, list) and isinstance(asked, list):
        return [*own, *asked]
    return None


def revoked(entries: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Convert revocation list entries of older versions to the current form.

    The old form is `{id: [{key: value}, …]}`, with `reason` for the extension CRLReason.
    """
    made = []
    for entry in entries:
        values = list(entry.values())
        plain = as_mapping(values[0]) if len(values) == 1 and isinstance(values[0], list) else dict(entry)
        if "reason" in plain:
            plain["extensions"] = {**plain.get("extensions", {}), "CRLReason": plain.pop("reason")}
        made.append(plain)
    return made

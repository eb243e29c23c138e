"""Published form of a job's target, and refusal of minion-only functions for resources.

Minions of stock Salt match again with their own rules, under which a job would also run on resources that do
not match; they read lists of ids as we do. So a target that they would interpret differently is published as
the list of its matches. The stored job and its events keep the user's target.
Source: resources specification, sections 8.2 and 9.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from salt_g.errors import TargetError
from salt_g.master.resources.registry import Record
from salt_g.match.resource import is_glob

#: Maximum number of ids in a published list, if no stock minion manages resources.
MAX_IDS = 10_000
_RIGHT_TYPES = frozenset(("grain", "grain_pcre"))
#: Expressions that stock's minions evaluate correctly: whole types and SRNs, or no types.
_OF_TYPES = re.compile(r"(and|or|\(|\)|T@[^*?\[]+)\Z", re.S)
_OF_MEMBERS = re.compile(r"(and|or|\(|\)|[GP][^@\w]?@.+|L@.+)\Z", re.S)


def for_minions(fun: str, resources: Mapping[str, Record]) -> TargetError:
    """Return the refusal of a minion-only function whose target matches resources and no minion."""
    managers = sorted({record.minion for record in resources.values()})
    more = "" if len(managers) <= 5 else f" and {len(managers) - 5} more"
    return TargetError(f"{fun} is for minions; target the managing minion ({', '.join(managers[:5])}{more})")


def unregistered(tgt: Any, tgt_type: str) -> str:
    """Return the SRN if the target is just one SRN, '' otherwise."""
    text = tgt if isinstance(tgt, str) else ""
    if tgt_type == "compound" and text.startswith("T@"):
        text = text[2:]
    elif tgt_type != "resource":
        return ""
    return text if ":" in text and not is_glob(text) and len(text.split()) == 1 else ""


def form_of(
    tgt: Any,
    tgt_type: str,
    names: Sequence[str],
    resources: Mapping[str, Record],
    *,
    has_stock: bool,
    is_trimmed: bool = False,
) -> tuple[Any, str]:
    """Return (tgt, tgt_type) as published.

    `has_stock` means that stock's minions manage resources, `is_trimmed` that the target matches more than
    `names`.
    """
    if not (resources or has_stock) or (not is_trimmed and is_right(tgt, tgt_type, resources)):
        return tgt, tgt_type
    if len(names) > MAX_IDS and not has_stock:
        return tgt, tgt_type
    if len(resources) == len(names) and any(":" in name for name in names):
        # Stock's list targets do not support SRNs, but its compound targets do.
        return " or ".join(f"T@{record.srn}" for record in resources.values()), "compound"
    return list(names), "list"


def is_right(tgt: Any, tgt_type: str, resources: Mapping[str, Record]) -> bool:
    """Return whether stock's minions read a target as intended."""
    if tgt_type == "glob":
        return tgt == "*" or (not is_glob(str(tgt)) and _is_bare(str(tgt), resources))
    if tgt_type == "list":
        names = tgt.split(",") if isinstance(tgt, str) else tgt
        return all(_is_bare(str(name).strip(), resources) for name in names)
    if tgt_type == "compound":
        words = tgt.split() if isinstance(tgt, str) else [str(word) for word in tgt]
        return all(map(_OF_TYPES.match, words)) or all(map(_OF_MEMBERS.match, words))
    return tgt_type in _RIGHT_TYPES


def _is_bare(name: str, resources: Mapping[str, Record]) -> bool:
    """Return whether a name is a bare id; stock's minions do not accept SRNs here."""
    record = resources.get(name)
    return ":" not in name if record is None else record.id == name

"""In which words a job goes out, and whether it may go to resources at all.

Why its own file: minions of stock Salt match again by rules of their own, under which a job also runs on
resources that were not meant; they read lists of ids as we do. So a target that they would read otherwise
goes out as the list of whom it means. The stored job and its events keep the user's words.
Source: resources specification, sections 8.2 and 9.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from salt_g.errors import TargetError
from salt_g.master.resources.registry import Record
from salt_g.match.resource import is_glob

#: Most ids that go out in place of what was written, unless stock's minions manage resources.
MAX_IDS = 10_000
_RIGHT_TYPES = frozenset(("grain", "grain_pcre"))
#: Expressions that stock's minions read right: of whole types and SRNs, or of what has no type in it.
_OF_TYPES = re.compile(r"(and|or|\(|\)|T@[^*?\[]+)\Z", re.S)
_OF_MEMBERS = re.compile(r"(and|or|\(|\)|[GP][^@\w]?@.+|L@.+)\Z", re.S)


def for_minions(fun: str, resources: Mapping[str, Record]) -> TargetError:
    """Return the refusal of housekeeping whose target means resources and no minion."""
    managers = sorted({record.minion for record in resources.values()})
    more = "" if len(managers) <= 5 else f" and {len(managers) - 5} more"
    return TargetError(f"{fun} is for minions; target the managing minion ({', '.join(managers[:5])}{more})")


def unregistered(tgt: Any, tgt_type: str) -> str:
    """Return the SRN that a target consists of, '' when it is anything else."""
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
    """Return (tgt, tgt_type) as it is published.

    `has_stock`: stock's minions manage resources; `is_trimmed`: the target means more than `names`.
    """
    if not (resources or has_stock) or (not is_trimmed and is_right(tgt, tgt_type, resources)):
        return tgt, tgt_type
    if len(names) > MAX_IDS and not has_stock:
        return tgt, tgt_type
    if len(resources) == len(names) and any(":" in name for name in names):
        # An SRN is no word of stock's lists, but one of its expressions.
        return " or ".join(f"T@{record.srn}" for record in resources.values()), "compound"
    return list(names), "list"


def is_right(tgt: Any, tgt_type: str, resources: Mapping[str, Record]) -> bool:
    """Return whether stock's minions read a target as it is meant."""
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
    """Return whether a name is no SRN, which stock's minions do not know in this place."""
    record = resources.get(name)
    return ":" not in name if record is None else record.id == name

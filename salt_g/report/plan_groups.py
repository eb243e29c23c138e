"""Changes of a plan grouped by content: each distinct change once, with its minions.

Shapes: documents are pairs (minion, document as in `master/plans/plan_documents.py`, None if unreadable). A
group is {fun, id, name, verdict, shown, text, opaque, minions}; `verdict` is change, fails or unreadable.
Only identical changes share a group, so that no user approves a change that was not shown.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

#: {verdict: rank in the list}; failures come first.
_ORDER = {"unreadable": 0, "fails": 1, "change": 2}
_FIELDS = ("fun", "id", "name", "verdict", "shown", "text", "opaque")
_UNREADABLE = dict.fromkeys(_FIELDS, "") | {"verdict": "unreadable"}


def groups_of(documents: Iterable[tuple[str, Mapping[str, Any] | None]]) -> list[dict[str, Any]]:
    """Return the groups, failures first, then those with most minions, then in the order of the states."""
    found: dict[tuple[str, ...], dict[str, Any]] = {}
    for minion, document in documents:
        chunks = [_UNREADABLE] if document is None else document["chunks"]
        for chunk in chunks:
            if chunk["verdict"] not in _ORDER:
                continue
            key = tuple(chunk[name] for name in _FIELDS)
            group = found.setdefault(key, {**dict(zip(_FIELDS, key, strict=True)), "minions": []})
            if minion not in group["minions"][-1:]:
                group["minions"].append(minion)
    return sorted(found.values(), key=lambda group: (_ORDER[group["verdict"]], -len(group["minions"])))


def idle(documents: Iterable[tuple[str, Mapping[str, Any] | None]]) -> list[str]:
    """Return the minions whose plan has no changes."""
    return [
        minion
        for minion, document in documents
        if document is not None and not any(chunk["verdict"] in _ORDER for chunk in document["chunks"])
    ]

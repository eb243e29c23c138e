"""Changes of a history as people read them: those of one job together, and drift by what it is.

Shapes: `by_job` gives {at, minions, id, name, fun, added, removed, cause, test, jid, user, text}, `drifts`
{name, id, fun, added, removed, state, text, last, minions}; a text is its digest, `added` and `removed` are
None for what has no diff.
Units: `at` and `last` in seconds since the epoch.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from salt_g.report.state_changes import Change

CAUSES = ("unknown", "intended", "corrective")
Group = dict[str, Any]


def by_job(changes: Iterable[Change]) -> list[Group]:
    """Return changes of one job with the same text and cause as one, with their minions."""
    groups: dict[tuple[Any, ...], Group] = {}
    for one in changes:
        key = (one.jid, one.name, one.fun, one.cause, one.is_test, one.text)
        group = groups.get(key)
        if group is None:
            groups[key] = {
                "at": one.at,
                "minions": [one.minion],
                "id": one.id,
                "name": one.name,
                "fun": one.fun,
                "added": one.added,
                "removed": one.removed,
                "cause": CAUSES[one.cause],
                "test": bool(one.is_test),
                "jid": one.jid,
                "user": one.who,
                "text": bytes(one.text),
            }
        else:
            group["minions"].append(one.minion)
    for group in groups.values():
        group["minions"].sort()
    return list(groups.values())


def drifts(changes: Iterable[Change]) -> list[Group]:
    """Return the newest drift of each minion and name, those of one text together, most minions first."""
    newest: dict[tuple[str, str, str], Change] = {}
    for one in changes:
        newest.setdefault((one.minion, one.name, one.fun), one)
    groups: dict[tuple[Any, ...], Group] = {}
    for one in newest.values():
        first: Group = {
            "name": one.name,
            "id": one.id,
            "fun": one.fun,
            "added": one.added,
            "removed": one.removed,
            "state": "found" if one.is_test else "corrected",
            "text": bytes(one.text),
            "last": one.at,
            "minions": [],
        }
        group = groups.setdefault((one.name, one.fun, one.is_test, one.text), first)
        group["minions"].append(one.minion)
        group["last"] = max(group["last"], one.at)
    for group in groups.values():
        group["minions"].sort()
    return sorted(groups.values(), key=lambda group: (-len(group["minions"]), group["name"]))

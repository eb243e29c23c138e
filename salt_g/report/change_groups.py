"""Groups of changes in a history: equal changes of one job, and equal drift of several minions.

Units: `at` and `last` in seconds since the epoch.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypedDict

from salt_g.report.state_changes import StateChange

CAUSES = ("unknown", "intended", "corrective")


class ChangeGroup(TypedDict):
    """Equal changes of one job; `text` is a digest, `added` and `removed` are None without a diff."""

    at: float
    minions: list[str]
    id: str
    name: str
    fun: str
    added: int | None
    removed: int | None
    cause: str
    test: bool
    jid: str
    user: str
    text: bytes


class DriftGroup(TypedDict):
    """Equal drift of several minions; `state` is `found` (in test mode) or `corrected`."""

    name: str
    id: str
    fun: str
    added: int | None
    removed: int | None
    state: str
    text: bytes
    last: float
    minions: list[str]


def by_job(changes: Iterable[StateChange]) -> list[ChangeGroup]:
    """Return the changes grouped by job, state, cause, mode and content, each group with its minions."""
    groups: dict[tuple[Any, ...], ChangeGroup] = {}
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


def drifts(changes: Iterable[StateChange]) -> list[DriftGroup]:
    """Return the newest drift of each minion and name, grouped by content, largest group first.

    `changes` must come newest first.
    """
    newest: dict[tuple[str, str, str], StateChange] = {}
    for one in changes:
        newest.setdefault((one.minion, one.name, one.fun), one)
    groups: dict[tuple[Any, ...], DriftGroup] = {}
    for one in newest.values():
        first: DriftGroup = {
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

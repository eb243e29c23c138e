"""Views of the history for front ends: changes by page, the drift of a fleet, one text.

On the command line only root and the master's user can read the history. Here it is for users who may see
everything (`@events`, or all functions on all minions), and for those who may call the runner functions in
RIGHTS.
Shapes: `history` {since, after, name, q, minion, cause, limit} -> {groups, next}, with groups as in
`report/change_groups.py` and `next` the place after which the next page begins; a change on very many minions
may be split into several groups. `drift` {since} -> {drift, not_tested, is_cut}. `history_text` {digest} ->
{text}. {off: True} is the answer of a master without a history.
Bounds: changes examined for a page, groups in a page.
Units: `since` in seconds before now.
"""

from __future__ import annotations

import fnmatch
import time
from collections.abc import Callable, Iterator
from typing import Any

from salt_g.auth.sight import Sight
from salt_g.cache.history import MOST, SLICE, FleetHistory
from salt_g.errors import StoreError
from salt_g.master.fleet.job_pages import View
from salt_g.process.offload import yield_to_hub
from salt_g.report.change_groups import CAUSES, by_job, drifts
from salt_g.report.state_changes import StateChange
from salt_g.shapes.loads import LoadFields

#: Runner function that each view requires permission for: who may call it sees the history, or the drift.
RIGHTS = {"history": "history.changes", "history_text": "history.changes", "drift": "history.drift"}
#: Maximum number of changes examined for a page, and of groups on a page.
MOST_EXAMINED, MOST_GROUPS = 20_000, 500
#: Longest time before now that a query can cover (s).
_LONGEST = 400 * 86400.0
_OFF = {"off": True}
#: Number of digits from which a number may not fit into a column of the database.
_MAX_DIGITS = 10


class HistoryPages:
    """Views of the history; `is_kept` is False if this master does not record one now."""

    def __init__(self, history: FleetHistory, *, is_kept: bool, now: Callable[[], float] = time.time) -> None:
        self._history = history
        self._is_kept = is_kept
        self._now = now

    def views(self) -> dict[str, View]:
        """Return the views by name."""
        return {
            "history": self._checked("history", self._page),
            "history_text": self._checked("history_text", self._text),
            "drift": self._checked("drift", self._drift),
        }

    def _checked(self, name: str, view: Callable[[LoadFields], Any]) -> View:
        """Return a view that is refused to users who may not see the history."""

        def serve(load: LoadFields, sight: Sight) -> Any:
            if not (sight.is_full or sight.may_call("runner", RIGHTS[name])):
                text = f"this needs permission for the runner {RIGHTS[name]}, or to see everything"
                return {"refused": text, "needs": "right"}
            try:
                if not self._is_kept and not self._history.place():
                    return _OFF
                return view(load)
            except StoreError as exc:
                return {"error": str(exc)}

        return serve

    def _page(self, load: LoadFields) -> Any:
        if load.get("after") and _read_place(load["after"]) is None:
            return {"error": "after must be `next` of the previous page"}
        limit = load.get("limit")
        limit = min(MOST_GROUPS, limit) if isinstance(limit, int) and limit > 0 else MOST_GROUPS
        chosen: list[StateChange] = []
        keys: set[tuple[Any, ...]] = set()
        last: StateChange | None = None
        for examined, one in enumerate(self._changes(load)):
            key = (one.jid, one.name, one.fun, one.cause, one.is_test, one.text)
            is_chosen = _fits(one, load)
            if examined == MOST_EXAMINED or (is_chosen and key not in keys and len(keys) == limit):
                return {"groups": by_job(chosen), "next": _place(last)}
            if is_chosen:
                keys.add(key)
                chosen.append(one)
            last = one
        return {"groups": by_job(chosen), "next": None}

    def _changes(self, load: LoadFields) -> Iterator[StateChange]:
        """Yield the changes that a query examines, newest first."""
        cause = load.get("cause")
        after = _read_place(load.get("after"))
        while True:
            found = self._history.page(
                since=self._since(load),
                after=after,
                name=str(load.get("name") or ""),
                cause=CAUSES.index(cause) if cause in CAUSES else None,
            )
            yield from found
            if len(found) < SLICE:
                return
            after = (found[-1].jid, found[-1].minion, found[-1].number)
            yield_to_hub()

    def _drift(self, load: LoadFields) -> Any:
        since = self._since(load)
        found = self._history.drift(since=since)
        untested = self._history.untested(since)
        return {"drift": drifts(found), "not_tested": untested, "is_cut": len(found) >= MOST}

    def _text(self, load: LoadFields) -> Any:
        digest = load.get("digest")
        return {"text": self._history.text(digest) if isinstance(digest, bytes) else ""}

    def _since(self, load: LoadFields) -> float:
        since = load.get("since")
        seconds = float(since) if isinstance(since, (int, float)) and 0 < since < _LONGEST else _LONGEST
        return self._now() - seconds


def _fits(change: StateChange, load: LoadFields) -> bool:
    minion, word = str(load.get("minion") or ""), str(load.get("q") or "").lower()
    if minion and not fnmatch.fnmatchcase(change.minion, minion):
        return False
    return not word or any(word in text.lower() for text in (change.name, change.id, change.fun))


def _place(change: StateChange | None) -> str | None:
    return None if change is None else f"{change.jid}/{change.number}/{change.minion}"


def _read_place(text: Any) -> tuple[str, str, int] | None:
    """Return (jid, minion, number) of a place, None for the beginning or an invalid place."""
    jid, _, rest = str(text or "").partition("/")
    number, _, minion = rest.partition("/")
    is_number = number.isascii() and number.isdigit() and len(number) < _MAX_DIGITS
    return (jid, minion, int(number)) if is_number else None

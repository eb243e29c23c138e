"""Guard of the run that applies a plan, so that no chunk changes anything that the plan does not list.

A chunk that was planned as unchanged, or as failing, is called in test mode only. Any other chunk is called
in test mode just before its real call, and must not report more changes than planned. The first chunk that
reports more ends the run. A chunk whose changes depend on earlier chunks may differ if none of these has
failed, because the plan says that its changes were not known.
Concurrency: parallel chunks call from their own threads; `is_over` only changes to True.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from salt_g.shapes import LowChunk, LowTag, Running, StateReturn, low_tag
from salt_g.shapes.plans import PlanDocument, PlannedChunk
from salt_g.state.plan.differences import otherwise
from salt_g.state.plan.digests import Digests
from salt_g.state.plan.document import chunk_of
from salt_g.state.plan.earlier_changes import EarlierChanges
from salt_g.state.plan.summaries import AFTERWARDS, CHANGE, WOULD_CHANGE, known_after, verdict_of
from salt_g.state.run.state_call import CalledState, StateCaller


class Guard:
    """Limits set by a plan; `is_over` is True after a chunk has exceeded them."""

    def __init__(self, document: PlanDocument, digests: Digests) -> None:
        self._document = document
        self._digests = digests
        self._planned = {chunk["key"]: chunk for chunk in document["chunks"]}
        #: Keys of failed chunks whose changes do not depend on earlier chunks.
        self._failed: set[str] = set()
        self.is_over = False

    def may_run(self, state_id: str) -> bool:
        """Return whether the run may go on; called before each chunk."""
        return not self.is_over

    def planned(self, low: LowChunk) -> PlannedChunk | None:
        """Return the planned effect of a chunk or its `mod_watch`, None if it is not in the plan."""
        return self._planned.get(self._digests.of(tag_of(low)))

    def has_details(self, planned: PlannedChunk | None) -> bool:
        """Return whether the plan says what a chunk would change.

        It cannot do so for a service that is not installed yet.
        """
        return planned is None or planned["leaves"] != self._digests.leaves({WOULD_CHANGE: True})

    def excess(self, low: LowChunk, seen: StateReturn) -> str:
        """Describe the changes of a chunk beyond its plan, if any; `seen` is its return in test mode."""
        planned = self.planned(low)
        now = chunk_of(self._digests, tag_of(low), low, seen)
        if now["verdict"] != CHANGE or _is_within(planned, now) or self._is_after(planned):
            return ""
        self.is_over = True
        was: PlannedChunk = planned or {**now, "shown": "nothing"}
        return otherwise(was, now, made=self._document["made"])

    def note(self, planned: PlannedChunk, ret: StateReturn) -> None:
        """Record a failure of a planned chunk, unless its changes depend on earlier chunks."""
        if ret["result"] is False and not planned["after"]:
            self._failed.add(planned["key"])

    def _is_after(self, planned: PlannedChunk | None) -> bool:
        """Return whether a chunk's planned changes depend on earlier chunks, none of which has failed."""
        if planned is None or planned["verdict"] != CHANGE or not planned["after"]:
            return False
        return self._failed.isdisjoint(planned["after"])


class GuardedCaller(StateCaller):
    """Caller of state functions within the limits of a plan."""

    def __init__(self, *args: Any, guard: Guard, **options: Any) -> None:
        super().__init__(*args, **options)
        self._guard = guard

    def call(self, low: LowChunk, *, running: Running, is_preview: bool = False) -> CalledState:
        """Return the result of a chunk, called for real only if its plan says that it changes something."""
        if is_preview:
            return super().call(low, running=running, is_preview=True)
        planned = self._guard.planned(low)
        seen = super().call(low, running=running, is_preview=True)
        if self._guard.has_details(planned):
            seen = self.with_planned(seen, low, running=running)
        excess = self._guard.excess(low, seen.ret)
        if excess:
            return CalledState(_ended(low, excess))
        if planned is None or planned["verdict"] != CHANGE:
            return seen
        called = super().call(low, running=running)
        self._guard.note(planned, called.ret)
        return called


class NotingCaller(StateCaller):
    """Caller of state functions in test mode, for runs whose returns are compared with a plan.

    A state that would change something without reporting it gets a placeholder change, because `onchanges`
    and `watch` on it will fire, and the states that they run belong to the plan. So does a state that may
    change something after an earlier one has run, and one that is skipped only if another one succeeds, which
    is not yet known (`onfail`).
    `needs` is {tag: {tag of a dependency: kinds}}. `hidden` has the returns of chunks with `no_log`, which
    the run masks; `after` is {tag: tags of the chunks on which its changes depend}.
    """

    def __init__(self, *args: Any, needs: Mapping[str, Mapping[str, Sequence[str]]], **options: Any) -> None:
        super().__init__(*args, **options)
        self._needs = needs
        self._earlier = EarlierChanges(needs, is_local=not self.context.resource)
        self.hidden: dict[str, StateReturn] = {}
        self.after: dict[str, list[str]] = {}

    def call(self, low: LowChunk, *, running: Running, is_preview: bool = False) -> CalledState:
        """Return the result of a chunk, with placeholders; record its return and dependencies."""
        called = super().call(low, running=running, is_preview=is_preview)
        called = self.with_planned(called, low, running=running)
        tag = tag_of(low)
        is_known = verdict_of(called.ret) == CHANGE
        shared = self._earlier.shared_with(tag, low, is_known=is_known) or self._hoped_for(tag, running)
        called = called._replace(ret=_noted(called.ret, shared))
        # Called for every chunk, because a chunk that requires this one depends through it on what this one
        # requires.
        required = self._earlier.required_by(tag)
        if verdict_of(called.ret) == CHANGE:
            if after := shared or required:
                self.after[tag] = after
            # After a preview, the chunk itself follows.
            if not is_preview:
                self._earlier.add(tag, low, called.ret)
        if low.get("no_log"):
            self.hidden[tag] = called.ret
        return called

    def _hoped_for(self, tag: str, running: Running) -> list[str]:
        """Return the `onfail` targets whose results are not yet known and decide whether a chunk runs."""
        awaited = {
            other: kinds
            for other, kinds in self._needs.get(tag, {}).items()
            if other in running and any(kind.startswith("onfail") for kind in kinds)
        }
        if any(running[other]["result"] is False and "onfail_all" not in awaited[other] for other in awaited):
            return []
        return [other for other in awaited if running[other]["result"] is None]


def _noted(ret: StateReturn, shared: Sequence[str]) -> StateReturn:
    """Return a test-mode return with a placeholder for changes that it does not report or cannot know yet."""
    if shared and verdict_of(ret) != CHANGE:
        known: StateReturn = {**ret, "comment": known_after(LowTag.parse(shared[-1]).id, ret)}
        known.pop("skip_watch", None)
        return {**known, "result": None, "changes": dict(AFTERWARDS)}
    if ret["result"] is None and not ret["changes"]:
        return {**ret, "changes": {WOULD_CHANGE: True}}
    # In test mode `file.touch` returns True although it has changes, so a `prereq` would not fire.
    return {**ret, "result": None} if shared and ret["result"] else ret


def tag_of(low: LowChunk) -> str:
    """Return the tag under which the return of a chunk is found; a `mod_watch` has the tag of its chunk."""
    return low_tag({**low, "fun": low["sfun"]} if "__reqs__" in low else low)


def _is_within(planned: PlannedChunk | None, now: PlannedChunk) -> bool:
    if planned is None or planned["verdict"] != CHANGE:
        return False
    if planned["outcome"] == now["outcome"]:
        return True
    if planned["leaves"] is None or now["leaves"] is None:
        return False
    return set(now["leaves"]) <= set(planned["leaves"])


def _ended(low: LowChunk, excess: str) -> StateReturn:
    comment = f"Not called, it would change more than planned: {excess}. The run ends here"
    return {"name": low["name"], "result": False, "changes": {}, "comment": comment}

"""The real pass of a plan: no chunk changes what the plan does not list.

A chunk that was planned as unchanged, or as failing, is called in test mode only. Any other is asked in test
mode just before its call, and must not want more than planned. The first chunk that wants more ends the run.
Concurrency: parallel chunks ask from their own threads; `is_over` only ever turns true.
"""

from __future__ import annotations

from typing import Any

from salt_g.shapes import LowChunk, Running, StateReturn, low_tag
from salt_g.shapes.plans import PlanDocument, PlannedChunk
from salt_g.state.plan.differences import otherwise
from salt_g.state.plan.digests import Digests
from salt_g.state.plan.document import chunk_of
from salt_g.state.plan.summaries import CHANGE, WOULD_CHANGE
from salt_g.state.run.state_call import CalledState, StateCaller


class Guard:
    """What a plan allows; `is_over` after a chunk wanted more."""

    def __init__(self, document: PlanDocument, digests: Digests) -> None:
        self._document = document
        self._digests = digests
        self._planned = {chunk["key"]: chunk for chunk in document["chunks"]}
        self.is_over = False

    def may_run(self, state_id: str) -> bool:
        """Return whether the run goes on, before each chunk."""
        return not self.is_over

    def planned(self, low: LowChunk) -> PlannedChunk | None:
        """Return the plan of a chunk; its `mod_watch` belongs to the chunk."""
        return self._planned.get(self._digests.of(tag_of(low)))

    def excess(self, low: LowChunk, seen: StateReturn) -> str:
        """Return what a chunk would change beyond its plan, '' for nothing; `seen` is of its test mode."""
        planned = self.planned(low)
        now = chunk_of(self._digests, tag_of(low), low, seen)
        if now["verdict"] != CHANGE or _is_within(planned, now):
            return ""
        self.is_over = True
        was: PlannedChunk = planned or {**now, "shown": "nothing"}
        return otherwise(was, now, made=self._document["made"])


class GuardedCaller(StateCaller):
    """Caller of state functions as far as a plan allows."""

    def __init__(self, *args: Any, guard: Guard, **options: Any) -> None:
        super().__init__(*args, **options)
        self._guard = guard

    def call(self, low: LowChunk, *, running: Running, is_preview: bool = False) -> CalledState:
        """Return the result of a chunk, called for real only if its plan says that it changes something."""
        if is_preview:
            return super().call(low, running=running, is_preview=True)
        planned = self._guard.planned(low)
        seen = super().call(low, running=running, is_preview=True)
        excess = self._guard.excess(low, seen.ret)
        if excess:
            return CalledState(_ended(low, excess))
        if planned is None or planned["verdict"] != CHANGE:
            return seen
        return super().call(low, running=running)


class NotingCaller(StateCaller):
    """Caller of the passes in test mode, whose returns are compared.

    A state that would change, and does not tell what, gets changes all the same: its `onchanges` and `watch`
    will fire, so what they run belongs to the plan. `hidden` are the returns of chunks with `no_log`, which
    the run masks.
    """

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.hidden: dict[str, StateReturn] = {}

    def call(self, low: LowChunk, *, running: Running, is_preview: bool = False) -> CalledState:
        """Return the result of a chunk."""
        called = super().call(low, running=running, is_preview=is_preview)
        if called.ret["result"] is None and not called.ret["changes"]:
            ret: StateReturn = {**called.ret, "changes": {WOULD_CHANGE: True}}
            called = called._replace(ret=ret)
        if low.get("no_log"):
            self.hidden[tag_of(low)] = called.ret
        return called


def tag_of(low: LowChunk) -> str:
    """Return the tag of a chunk under which its return is found; `mod_watch` has that of the chunk."""
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

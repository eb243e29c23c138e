"""Run of a graph's ordered nodes in one pass, without recursion.

Verdicts on requisites are in `requisites.py`, single calls in `state_call.py`, retries in `retry.py`,
concurrent chunks in `parallel.py`.

Shapes: `Run.execute` takes nodes in running order and returns the running dict {tag: state return}, in the
order of execution.
"""

from __future__ import annotations

import itertools
import logging
import time
from collections.abc import Callable, Collection, Container, Iterable, Iterator, Mapping
from typing import Any, NamedTuple

import salt_g.state.run.state_returns as state_returns
from salt_g.process.offload import MOMENT
from salt_g.shapes import LowChunk, Running, StateReturn, low_tag
from salt_g.shapes.aggregation import is_aggregated
from salt_g.state.compile.node import Node
from salt_g.state.run.aggregate import Group, aggregated, needs_of
from salt_g.state.run.explanation import explanation
from salt_g.state.run.kept_steps import KeptSteps
from salt_g.state.run.parallel import Parallel
from salt_g.state.run.refresh import Refresh
from salt_g.state.run.requisites import RequisiteVerdict, failed_targets, requisite_verdict
from salt_g.state.run.retry import Retry, call_with_retry
from salt_g.state.run.run_steps import RunSteps
from salt_g.state.run.state_call import StateCaller

log = logging.getLogger(__name__)

#: Comments of skipped chunks.
SKIPPED = {
    RequisiteVerdict.SKIP_REQUISITES: "State was not run because requisites were skipped by another state",
    RequisiteVerdict.NO_PREVIEW_CHANGES: "No changes detected",
    RequisiteVerdict.ONFAIL_QUIET: "State was not run because onfail req did not change",
    RequisiteVerdict.ONCHANGES_QUIET: "State was not run because none of the onchanges reqs changed",
}
#: Text appended to the comment of a chunk whose watch would fire, but is suppressed by a target.
NO_MOD_WATCH = " mod_watch was not run because requisites were skipped by another state"

#: Maximum time that a run uses the processor without yielding (s); a single state may use more.
YIELD_INTERVAL = 0.01

#: Returns of a chunk's dependencies: {kind: [(low, return), ...]}.
Found = dict[str, list[tuple[LowChunk, StateReturn]]]


class Clock(NamedTuple):
    """Clock of a run: seconds since the epoch, and sleeping."""

    now: Callable[[], float] = time.time
    sleep: Callable[[float], None] = time.sleep


class Hooks(NamedTuple):
    """Callbacks of a run, all optional."""

    #: Callback with (low, return, total) that fires events.
    on_event: Callable[[LowChunk, StateReturn, int], None] | None = None
    #: Callback with a state's ID before the state runs; False ends the run.
    may_run: Callable[[str], bool] | None = None


class Run:
    """One pass over nodes, and the nodes that are finished, previewed or running.

    With `splits_returns`, states that a state ran itself (`sub_state_run`) get separate entries; with
    `explains`, each return has an `explanation`.
    """

    def __init__(
        self,
        caller: StateCaller,
        *,
        refresh: Refresh | None = None,
        hooks: Hooks | None = None,
        clock: Clock | None = None,
        groups: Mapping[Node, Group] | None = None,
        numbers: Iterator[int] | None = None,
        splits_returns: bool = True,
        explains: bool = False,
        steps: RunSteps | None = None,
        kept: KeptSteps | None = None,
    ) -> None:
        self.running: Running = {}
        self._splits_returns = splits_returns
        self._explains = explains
        self._caller = caller
        self._refresh = refresh or Refresh()
        self._hooks = hooks or Hooks()
        self._clock = clock or Clock()
        self._steps = steps or RunSteps()
        self._kept = kept or KeptSteps()
        self._groups = groups or {}
        self._numbers = numbers or itertools.count()
        self._previews: Running = {}
        self._initialised: set[str] = set()
        self._postponed: dict[Node, None] = {}
        self._under_way: dict[str, Node] = {}
        self._parallel = Parallel(self._opts.get("state_max_parallel"))
        self._current: Node | None = None
        self._is_stopped = False
        self._yielded = 0.0
        self._total = 0

    def execute(self, nodes: Collection[Node]) -> Running:
        """Run all nodes; stop early on a failhard failure or a soft kill."""
        self._total = sum(not node.is_preview for node in nodes)
        self._steps.begin_run(self._total)
        try:
            for node in nodes:
                self._advance(node)
                if self._is_stopped:
                    break
            self._finish()
        finally:
            self._parallel.close()
        return self.running

    def unfinished(self, comment: str) -> Running:
        """Return the results so far; a running state counts as failed, with this comment."""
        cut = [*self._under_way.values(), *([self._current] if self._current else [])]
        now = self._clock.now()
        failed = {
            node.tag: state_returns.cut(node.low, comment, now=now, number=next(self._numbers))
            for node in cut
            if not node.is_preview
        }
        return {**self.running, **failed}

    @property
    def previewed(self) -> Container[str]:
        """Tags of the states whose changes a `prereq` has asked for."""
        return self._previews

    @property
    def _opts(self) -> Mapping[str, Any]:
        return self._caller.context.opts

    def _advance(self, node: Node) -> None:
        self._collect()
        if self._is_stopped or node.tag in self.running:
            return
        if self._hooks.may_run is not None and not self._hooks.may_run(node.low["__id__"]):
            self._is_stopped = True
        elif _runs_in_parallel(node) and self._must_wait(node):
            self._postponed[node] = None
        else:
            self._wait_for(node)
            if not self._is_stopped:
                self._run_node(node)

    def _must_wait(self, node: Node) -> bool:
        return bool(self._under_way or self._postponed) and any(
            needed in self._postponed or needed.tag in self._under_way
            for needed, _ in needs_of(node, self._groups)
        )

    def _wait_for(self, node: Node) -> None:
        """Wait until a node's dependencies are done and, if it sets a umask, until nothing else runs."""
        while self._must_wait(node) or ("umask" in node.low and self._under_way):
            self._store_finished(self._parallel.wait_for_one())
            if self._is_stopped:
                return

    def _finish(self) -> None:
        while self._under_way:
            self._store_finished(self._parallel.wait_for_one())

    def _collect(self) -> None:
        if self._under_way and (finished := self._parallel.finished()):
            self._store_finished(finished)

    def _store_finished(self, finished: Iterable[tuple[str, StateReturn]]) -> None:
        """Store the returns of parallel chunks; start postponed ones whose dependencies are done."""
        for tag, ret in finished:
            self._store_return(self._under_way.pop(tag), {**self.running[tag], **ret, "__parallel__": True})
        for node in list(self._postponed):
            if not self._is_stopped and not self._must_wait(node):
                del self._postponed[node]
                self._run_node(node)

    def _run_node(self, node: Node) -> None:
        if (done := self._kept.recall(node)) is not None:
            self._store_return(node, {**done, "__run_num__": next(self._numbers)}, is_kept=True)
            return
        self._current = node
        self._initialise(node.low)
        found = self._found(node)
        verdict = requisite_verdict(found) if found else RequisiteVerdict.MET
        # Aggregate first: if the first chunk of a group is skipped, the others run alone, without its work.
        low = node.low if _runs_in_parallel(node) else self._aggregated(node)
        if node.is_preview:
            self._run_preview(node, low, verdict, found)
        elif verdict is RequisiteVerdict.FAIL or verdict in SKIPPED:
            self._store_return(node, self._not_run(node, verdict, found))
        elif _runs_in_parallel(node):
            self._start_parallel(node, verdict, found)
        else:
            with self._steps.running(node.low, node.tag):
                ret = self._refused(node) or self._call_with_watch(low, verdict, found, self._numbers)
            self._store_return(node, ret)
        self._current = None
        self._yield()

    def _yield(self) -> None:
        """Yield to the other greenlets of a daemon between states."""
        now = self._clock.now()
        if now - self._yielded > YIELD_INTERVAL:
            self._clock.sleep(MOMENT)
            self._yielded = self._clock.now()

    def _run_preview(self, node: Node, low: LowChunk, verdict: RequisiteVerdict, found: Found) -> None:
        """Call a chunk in test mode; if its requisites prevent that, it does not run later either."""
        if verdict is RequisiteVerdict.FAIL or verdict in SKIPPED:
            ret = self._not_run(node, verdict, found)
            self._store_return(node, ret)
        elif problems := self._caller.problems_of(node.low):
            ret = state_returns.not_called(node.low, problems, number=0)
        else:
            ret = self._caller.call(low, running=self.running, is_preview=True).ret
        self._previews[node.tag] = ret

    def _not_run(self, node: Node, verdict: RequisiteVerdict, found: Found) -> StateReturn:
        number = next(self._numbers)
        if verdict is not RequisiteVerdict.FAIL:
            return state_returns.not_run(
                node.low, True, SKIPPED[verdict], now=self._clock.now(), number=number
            )
        if node.tag in self._previews:
            return state_returns.prereq_failed(node.low, self._previews[node.tag], number=number)
        comment = f"One or more requisite failed: {', '.join(failed_targets(found))}"
        return state_returns.not_run(node.low, False, comment, now=self._clock.now(), number=number)

    def _start_parallel(self, node: Node, verdict: RequisiteVerdict, found: Found) -> None:
        number, now = next(self._numbers), self._clock.now()
        placeholder = state_returns.under_way(node.low)
        self.running[node.tag] = state_returns.completed(
            node.low, placeholder, start=now, end=now, number=number
        )
        self._under_way[node.tag] = node
        numbers = itertools.chain([number], self._numbers)
        # Checked before `running`, because the chunk's thread starts with a copy of the context in which
        # output is observed.
        refused = self._refused(node, numbers)
        with self._steps.running(node.low, node.tag):
            self._parallel.start(
                node.tag, lambda: refused or self._call_with_watch(node.low, verdict, found, numbers)
            )

    def _refused(self, node: Node, numbers: Iterator[int] | None = None) -> StateReturn | None:
        """Record that a chunk begins; if it must not begin, return its failure."""
        why = self._kept.begin(node, is_test=bool(self._opts.get("test")))
        if not why:
            return None
        return state_returns.cut(node.low, why, now=self._clock.now(), number=next(numbers or self._numbers))

    def _call_with_watch(
        self, low: LowChunk, verdict: RequisiteVerdict, found: Found, numbers: Iterator[int]
    ) -> StateReturn:
        """Call a chunk and, if its watch fires and it made no changes, its mod_watch."""
        ret = self._call(low, numbers)
        if verdict is RequisiteVerdict.SKIP_WATCH:
            ret["comment"] += NO_MOD_WATCH
        elif verdict is RequisiteVerdict.CHANGE and not ret["changes"] and not ret.get("skip_watch"):
            reqs = {kind: [target for target, _ in targets] for kind, targets in found.items()}
            self._steps.fired(low_tag(low))
            ret = self._call({**low, "sfun": low["fun"], "fun": "mod_watch", "__reqs__": reqs}, numbers)
        return ret

    def _call(self, low: LowChunk, numbers: Iterator[int]) -> StateReturn:
        problems = self._caller.problems_of(low)
        if problems:
            return state_returns.not_called(low, problems, number=next(numbers))
        if "retry" not in low:
            return self._call_once(low, numbers)
        if low.get("parallel"):
            # All attempts of a parallel chunk share one number, as in stock.
            numbers = itertools.repeat(next(numbers))
        retry = Retry.from_argument(low["retry"])
        if self._opts.get("test"):
            ret = self._call_once(low, numbers)
            # The error about a malformed return stands alone, as in stock.
            if not _is_malformed(ret):
                ret["comment"] = f"{ret['comment'] or ''}  {retry.plan}"
            return ret
        return call_with_retry(
            lambda: self._call_once(low, numbers), retry, sleep=self._clock.sleep, is_final=_is_malformed
        )

    def _call_once(self, low: LowChunk, numbers: Iterator[int]) -> StateReturn:
        start = self._clock.now()
        log.info("running state %s.%s for %r", low["state"], low["fun"], low["__id__"])
        called = self._caller.call(low, running=self.running)
        ret = called.ret
        if called.is_malformed:
            if called.is_counted:
                next(numbers)
            return ret
        if low.get("no_log"):
            ret = state_returns.masked(ret)
        return state_returns.completed(low, ret, start=start, end=self._clock.now(), number=next(numbers))

    def _store_return(self, node: Node, ret: StateReturn, *, is_kept: bool = False) -> None:
        """Store a chunk's return, record it for a resumed run unless `is_kept`, and notify the hooks."""
        if self._explains:
            found = self._found(node)
            ends = self._fails_hard(node.low, ret)
            why = explanation(found, requisite_verdict(found), ret, node.low, ends_run=ends)
            ret = {**ret, "explanation": why}
        if not is_kept:
            self._kept.end(node, ret)
        self.running[node.tag] = ret
        self._steps.end(node.low, node.tag, ret)
        if ret.get("__state_ran__", True):
            self._refresh.after(node.low, ret, self._caller)
        if self._hooks.on_event is not None:
            self._hooks.on_event(node.low, ret, self._total)
        if "sub_state_run" in ret and self._splits_returns:
            self.running.update(
                state_returns.sub_states(node.low, ret, now=self._clock.now(), numbers=self._numbers)
            )
            del ret["sub_state_run"]
        if self._fails_hard(node.low, ret):
            self._is_stopped = True

    def _fails_hard(self, low: LowChunk, ret: StateReturn) -> bool:
        return (
            ret["result"] is False
            and not self._opts.get("test")
            and bool(low.get("failhard", self._opts.get("failhard", False)))
        )

    def _found(self, node: Node) -> Found:
        found: Found = {}
        for needed, kinds in needs_of(node, self._groups):
            ret = (self._previews if needed.is_preview else self.running).get(needed.tag)
            if ret is not None:
                for kind in kinds:
                    found.setdefault(kind, []).append((needed.low, ret))
        return found

    def _initialise(self, low: LowChunk) -> None:
        """Call a module's `mod_init` before each of its chunks until it reports that it is done."""
        if low["state"] not in self._initialised and self._caller.initialise(low, running=self.running):
            self._initialised.add(low["state"])

    def _aggregated(self, node: Node) -> LowChunk:
        group = self._groups.get(node)
        if group is None or len(group.nodes) < 2 or is_aggregated(node.low):
            return node.low
        function = self._caller.context.table("states")[f"{node.low['state']}.mod_aggregate"]
        return aggregated(node.low, group, function, self.running)


def _runs_in_parallel(node: Node) -> bool:
    # The umask belongs to the whole process, so a chunk with one never runs in parallel.
    return bool(node.low.get("parallel")) and not node.is_preview and "umask" not in node.low


def _is_malformed(ret: StateReturn) -> bool:
    """Return whether a return is the placeholder for a malformed return, which has no run number."""
    return "__run_num__" not in ret

"""Compiler from high data to a graph in running order, which reports all findings at once.

A layer runs only if the earlier layers found no problem that would cause misleading findings in it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from salt_g.errors import CompileError
from salt_g.process.offload import yield_to_hub
from salt_g.shapes import LowChunk, Opts
from salt_g.shapes.high_data import HighData, MalformedChanges
from salt_g.state.compile.cycles import cycle_places, cycle_text, find_cycle
from salt_g.state.compile.diagnostics import Problem
from salt_g.state.compile.exclude import apply_exclude
from salt_g.state.compile.extend import apply_extensions
from salt_g.state.compile.low import compile_low
from salt_g.state.compile.node import Node
from salt_g.state.compile.order import Graph
from salt_g.state.compile.requisite_in import apply_mirrored
from salt_g.state.compile.verify import verify_high
from salt_g.state.run.aggregate import Group, group_nodes, groups_first, may_aggregate


class Compiled(NamedTuple):
    """Compiled states: nodes in running order, and the groups that are called together.

    `ordered` has the nodes as users see them, in the running order before groups are moved together.
    """

    nodes: list[Node]
    groups: Mapping[Node, Group]
    ordered: list[Node]

    def low(self) -> list[LowChunk]:
        """Return the chunks as stock shows them; a chunk with a preview appears twice and is marked."""
        return [_shown(node) for node in self.ordered]

    def closure(self, is_wanted: Callable[[LowChunk], bool]) -> list[Node]:
        """Return the wanted nodes and all their dependencies, in running order."""
        kept: set[Node] = set()
        for node in reversed(self.nodes):
            if node in kept or (not node.is_preview and is_wanted(node.low)):
                kept.add(node)
                kept.update(node.needs)
        return [node for node in self.nodes if node in kept]


class StateCompiler:
    """State compiler with the settings of one run; `has_function` returns whether a state function exists."""

    def __init__(
        self,
        opts: Opts,
        *,
        has_function: Callable[[str], bool],
        disabled: Iterable[str] = (),
        report: Callable[[Iterable[Problem]], Sequence[str]] = lambda problems: (),
    ) -> None:
        self._opts = opts
        self._report = report
        self._has_function = has_function
        self._disabled = list(disabled)
        kinds = opts.get("disabled_requisites") or []
        self._disabled_kinds = kinds if isinstance(kinds, list) else [kinds]

    def read(self, data: Any) -> HighData:
        """Return the high data that a user gives; raise CompileError if it cannot be read."""
        if not isinstance(data, dict):
            raise self._error("High data is not a dictionary and is invalid")
        try:
            return HighData.of(data)
        except MalformedChanges as exc:
            raise self._error(f"High data is invalid: {exc}") from None

    def compile(self, high: HighData, *, orchestration_jid: str | None = None) -> Compiled:
        """Compile high data, changing its declarations; raise CompileError if there are findings."""
        extended = self.extend(high)
        return self.order(compile_low(extended, orchestration_jid=orchestration_jid, disabled=self._disabled))

    def extend(self, high: HighData) -> HighData:
        """Verify high data; return it with extend, exclude and `*_in` applied.

        Raise CompileError if there are findings.
        """
        self._stop_for([*apply_extensions(high), *verify_high(high)])
        yield_to_hub()
        problems = apply_mirrored(high, disabled=self._disabled_kinds)
        apply_exclude(high)
        self._stop_for(problems)
        yield_to_hub()
        return HighData(high.declarations)

    def compile_plain(self, high: HighData, *, with_mirrored: bool = False) -> Compiled:
        """Compile high data without extend, exclude and, by default, `*_in`.

        Raise CompileError if there are findings.
        """
        self._stop_for(verify_high(high))
        if with_mirrored:
            self._stop_for(apply_mirrored(high, disabled=self._disabled_kinds))
        return self.order(compile_low(high, disabled=self._disabled))

    def order(self, chunks: Iterable[LowChunk]) -> Compiled:
        """Put chunks into running order; raise CompileError for dangling or circular requisites."""
        graph = Graph(disabled=self._disabled_kinds)
        option = self._opts.get("state_aggregate")
        for low in chunks:
            graph.add(low, may_aggregate=may_aggregate(low, option, self._has_aggregate))
        yield_to_hub()
        problems = graph.link(has_watch=self._has_watch)
        yield_to_hub()
        nodes = graph.ordered()
        if len(nodes) < len(graph.nodes):
            cycle = find_cycle(graph.nodes)
            first = cycle[0][0].low
            problems.append(
                Problem(
                    cycle_text(cycle),
                    sls=first.get("__sls__", ""),
                    state_id=first.get("__id__"),
                    others=cycle_places(cycle),
                )
            )
        self._stop_for(problems)
        groups = group_nodes(nodes) if any(node.may_aggregate for node in nodes) else {}
        return Compiled(groups_first(nodes, groups) if groups else nodes, groups, nodes)

    def _stop_for(self, found: Iterable[Problem]) -> None:
        stop_for(found, report=self._report)

    def _error(self, message: str) -> CompileError:
        """Report one finding; return the error to raise."""
        return _reported([Problem(message)], self._report)

    def _has_watch(self, module: str) -> bool:
        return self._has_function(f"{module}.mod_watch")

    def _has_aggregate(self, module: str) -> bool:
        return self._has_function(f"{module}.mod_aggregate")


def stop_for(found: Iterable[Problem], *, report: Callable[[Iterable[Problem]], Sequence[str]]) -> None:
    """Report the findings and raise CompileError, if there are any."""
    problems = list(found)
    if problems:
        raise _reported(problems, report)


def _reported(
    problems: Sequence[Problem], report: Callable[[Iterable[Problem]], Sequence[str]]
) -> CompileError:
    return CompileError([problem.message for problem in problems], report(problems))


def _shown(node: Node) -> LowChunk:
    shown = node.low.copy()
    if node.is_preview or node.preview is not None:
        shown["__prereq__"] = True
    if any(needed.is_preview for needed in node.needs):
        shown["__prerequiring__"] = True
    return shown

"""Dependency graph of a run, and the running order.

Every requisite of any kind is an edge here; the running order, cycles, `state.graph` and the run's verdicts
all read this one graph.

Shapes: each low chunk becomes a Node. The target of a `prereq` has a second, earlier node, its *preview*: the
same call in test mode.
Order: a chunk may run when everything it needs has run. Of those, the one with the smallest (effective order,
own order, state + name + fun, tag) is next; the effective order of a chunk is pulled forward to that of the
earliest chunk that directly needs it. An edge to a state that a required file merely includes is dropped
where it would close a cycle.
Source: stock docs "Ordering States"; conformance areas `order` and `req`.
"""

from __future__ import annotations

import fnmatch
import heapq
import logging
import re
from collections.abc import Callable, Container, Iterator, Mapping
from typing import Any

from salt_g.shapes import LowChunk, low_tag
from salt_g.state.compile.cycles import components, find_cycle
from salt_g.state.compile.diagnostics import Problem
from salt_g.state.compile.node import Node
from salt_g.state.compile.vocabulary import ORDERING_KINDS, RANK, is_pattern

log = logging.getLogger(__name__)

_ORDERING = frozenset(ORDERING_KINDS)
#: Offset of `last` and of negative orders, which sorts them after all positive orders.
LAST = 1000000
#: Distance between the largest written order and the first assigned number.
GAP = 100


class Graph:
    """Chunks of one run and their dependencies."""

    def __init__(self, *, disabled: Container[str] = ()) -> None:
        self.nodes: list[Node] = []
        self.groups: list[Any] = []
        self._disabled = disabled
        self._by_tag: dict[str, Node] = {}
        self._names: dict[str, dict[str, list[Node]]] = {}
        self._sls: dict[str, list[Node]] = {}
        self._patterns: dict[tuple[str, str], list[Node]] = {}
        self._through_includes: set[tuple[Node, str, Node]] = set()
        self._cap = 1

    def add(self, low: LowChunk, *, may_aggregate: bool = False) -> None:
        """Add a chunk; it replaces an earlier one with the same tag."""
        tag = low_tag(low)
        if tag in self._by_tag:
            self._by_tag[tag].low = low
            return
        node = Node(low, tag=tag, may_aggregate=may_aggregate)
        self._by_tag[tag] = node
        self.nodes.append(node)
        for module in (low["state"], "id"):
            names = self._names.setdefault(module, {})
            for name in {low["name"], low["__id__"]}:
                names.setdefault(name, []).append(node)
        for sls in dict.fromkeys([low.get("__sls__"), *low.get("__sls_included_from__", ())]):
            if sls:
                self._sls.setdefault(sls, []).append(node)

    def link(self, *, has_watch: Callable[[str], bool]) -> list[Problem]:
        """Create the edges of all requisites; return a finding for each dangling one.

        `has_watch` returns whether a module has a `mod_watch`; without one, a watch is a require.
        """
        problems = []
        for node in list(self.nodes):
            _turn_watch_to_require(node.low, has_watch)
            found = list(self._link_node(node))
            problems += found
            if not found:
                self._raise_cap(node.low)
        if self._through_includes and find_cycle(self.nodes):
            self._break_include_cycles()
        return problems

    def ordered(self) -> list[Node]:
        """Return the nodes in running order; nodes on a cycle and their dependants are missing."""
        own = {node: _own_order(node.low, self._cap) for node in self.nodes if not node.is_preview}
        own.update({node: own[self._by_tag[node.tag]] for node in self.nodes if node.is_preview})
        pull = {
            node: own[node] if node.preview else _written_order(node.low, self._cap) for node in self.nodes
        }
        for node in self.nodes:
            node.low["order"] = own[node]
            node.low.pop("name_order", None)
        return list(_emitted_in_order(self.nodes, own, pull))

    def _link_node(self, node: Node) -> Iterator[Problem]:
        written: Mapping[str, Any] = node.low
        if _ORDERING.isdisjoint(written):
            return
        for kind in ORDERING_KINDS:
            if not written.get(kind):
                continue
            if kind in self._disabled:
                log.warning("the disabled requisite %s is ignored in state %r", kind, node.low["__id__"])
                continue
            for reference in written[kind]:
                problem = self._link_reference(node, kind, reference)
                if problem is not None:
                    yield problem

    def _link_reference(self, node: Node, kind: str, reference: Any) -> Problem | None:
        module, value = ("id", reference) if isinstance(reference, str) else next(iter(reference.items()))
        module = module.partition(".")[0]
        if value is None:
            return None
        place = f"in state [{node.low['name']}] in SLS [{node.low.get('__sls__')}]"
        if not isinstance(value, str):
            return Problem(
                f"Requisite [{kind}: {module}] {place} must have a string as the value",
                sls=str(node.low.get("__sls__")),
                state_id=node.low["__id__"],
                words=(node.low["state"], kind, module),
            )
        found = self.find(module, value)
        for other in found:
            self._record_include(node, kind, other, module, value)
            self._connect(node, kind, other)
        # A pattern of SLS names may match nothing, because no such file may exist for this minion.
        if found or (module == "sls" and is_pattern(value)):
            return None
        return Problem(
            f"Referenced state does not exist for requisite [{kind}: ({module}: {value})] {place}",
            sls=str(node.low.get("__sls__")),
            state_id=node.low["__id__"],
            wanted=value,
            known=self._table(module),
            advice=self._misplaced(module, value),
            words=(node.low["state"], kind, f"{module}: {value}", value),
        )

    def _misplaced(self, module: str, value: str) -> str:
        """Return advice if only other modules have this name, or no state is of the module; else ''."""
        others = dict.fromkeys(node.low["state"] for node in self._table("id").get(value, []))
        if module in ("id", "sls"):
            return ""
        if not others:
            return "" if module in self._names else f"no state of {module!r} is in this run"
        return f"{value!r} is a state of {' and '.join(others)}: write {next(iter(others))}: {value}"

    def find(self, module: str, value: str) -> list[Node]:
        """Return the nodes that a reference matches; `id` stands for any module, `sls` for an SLS."""
        table = self._table(module)
        if not is_pattern(value):
            return table.get(value, [])
        if (module, value) not in self._patterns:
            fits = re.compile(fnmatch.translate(value)).match
            matching = (node for name, nodes in table.items() if fits(str(name)) for node in nodes)
            self._patterns[module, value] = list(dict.fromkeys(matching))
        return self._patterns[module, value]

    def _table(self, module: str) -> dict[str, list[Node]]:
        return self._sls if module == "sls" else self._names.get(module, {})

    def _connect(self, node: Node, kind: str, other: Node) -> None:
        if kind == "prereq":
            self._connect_prereq(node, other)
            return
        node.need(other, kind)
        if node.preview is not None:
            node.preview.need(other, kind)

    def _connect_prereq(self, node: Node, other: Node) -> None:
        """Order `node` between the preview of `other` and `other` itself."""
        if other.preview is None:
            other.preview = Node(other.low, tag=other.tag, is_preview=True)
            self.nodes.append(other.preview)
            for needed, kinds in other.needs.items():
                for kind in kinds:
                    other.preview.need(needed, kind)
        node.need(other.preview, "prereq")
        other.need(node, "require")
        if node.preview is not None:
            # In a chain of prereqs the chunk at the far end is previewed first.
            node.preview.need(other.preview, "prereq")

    def _record_include(self, node: Node, kind: str, other: Node, module: str, value: str) -> None:
        """Record an edge that exists only because a required SLS includes the SLS of `other`."""
        edge = (node, kind, other)
        is_own = module != "sls" or fnmatch.fnmatchcase(str(other.low.get("__sls__")), value)
        if is_own or kind == "prereq":
            self._through_includes.discard(edge)
        elif kind not in node.needs.get(other, ()):
            self._through_includes.add(edge)

    def _break_include_cycles(self) -> None:
        """Drop the edges through includes that lie on a cycle.

        A state can require an SLS that includes its own: stock up to 3007 considers only the states that the
        SLS itself declares, and 3008 refuses such trees.
        """
        component = components(self.nodes)
        for node, kind, other in self._through_includes:
            waiting = [node] if node.preview is None else [node, node.preview]
            if any(component[each] is component[other] for each in waiting):
                log.info("%r no longer waits for %r, which already waits for it (%s)", node, other, kind)
                for each in waiting:
                    each.drop(other, kind)

    def _raise_cap(self, low: LowChunk) -> None:
        order = low.get("order")
        if isinstance(order, int) and order >= self._cap and order > 0:
            self._cap = order + GAP


def _turn_watch_to_require(low: LowChunk, has_watch: Callable[[str], bool]) -> None:
    if ("watch" in low or "watch_any" in low) and not has_watch(low["state"]):
        if "watch" in low:
            low["require"] = [*low.get("require", []), *low.pop("watch")]
        if "watch_any" in low:
            low["require_any"] = [*low.get("require_any", []), *low.pop("watch_any")]


def _written_order(low: LowChunk, cap: int) -> float:
    """Return an order as it affects dependencies: keywords resolved, negative numbers unchanged."""
    order = low.get("order")
    if isinstance(order, (int, float)):
        return order
    return {"first": 0, "last": cap + LAST}.get(order, cap) if isinstance(order, str) else cap


def _own_order(low: LowChunk, cap: int) -> float:
    order = _written_order(low, cap)
    if "name_order" in low:
        order += low["name_order"] / 10000
    return order + cap + LAST if order < 0 else order


def _effective_order(node: Node, own: float, pull: dict[Node, float]) -> float:
    """Return the smallest order among a chunk and its dependants.

    A dependant counts only if its kind ranks no lower than that of the last one that counted, as in stock.
    """
    smallest, rank = own, -1
    for dependant, kinds in node.wanted_by.items():
        for kind in kinds:
            if RANK[kind] >= rank:
                rank = RANK[kind]
                smallest = min(smallest, pull[dependant])
    return smallest


def _emitted_in_order(nodes: list[Node], own: dict[Node, float], pull: dict[Node, float]) -> Iterator[Node]:
    """Yield each node after all its dependencies; of the nodes that are ready, the smallest key is next."""

    def entry(node: Node) -> tuple[Any, ...]:
        low = node.low
        key = (_effective_order(node, own[node], pull), own[node])
        return (key, f"{low['state']}{low['name']}{low['fun']}", node.tag, node.is_preview, node)

    waiting = {node: len(node.needs) for node in nodes}
    heap = [entry(node) for node in nodes if not waiting[node]]
    heapq.heapify(heap)
    while heap:
        node = heapq.heappop(heap)[-1]
        yield node
        for dependant in node.wanted_by:
            waiting[dependant] -= 1
            if not waiting[dependant]:
                heapq.heappush(heap, entry(dependant))

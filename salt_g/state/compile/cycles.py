"""Cycles in the dependency graph, and their text in errors.

Source: stock's text; conformance cases `req/recursive*`.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from typing import Any

from salt_g.state.compile.diagnostics import StateLocation
from salt_g.state.compile.node import Node


def find_cycle(nodes: Iterable[Node]) -> list[tuple[Node, str, Node]]:
    """Return the edges (dependant, kind, dependency) of a cycle, or [] if there is none."""
    finished: set[Node] = set()
    for start in nodes:
        if start not in finished:
            cycle = _cycle_from(start, finished)
            if cycle:
                return cycle
    return []


def components(nodes: Iterable[Node]) -> dict[Node, Node]:
    """Return {node: representative of its strongly connected component}.

    Two nodes lie on a common cycle exactly when they have the same representative.
    """
    finished: dict[Node, None] = {}
    for start in nodes:
        if start not in finished:
            _finish_from(start, finished)
    stands: dict[Node, Node] = {}
    for root in reversed(finished):
        if root in stands:
            continue
        stands[root] = root
        reached = [root]
        while reached:
            for other in reached.pop().needs:
                if other not in stands:
                    stands[other] = root
                    reached.append(other)
    return stands


def cycle_text(cycle: Iterable[tuple[Node, str, Node]]) -> str:
    """Return stock's line for a cycle."""
    edges = (
        f"({_described(dependant)}, '{_as_written(kind, dependant)}', {_described(dependency)})"
        for dependant, kind, dependency in cycle
    )
    return f"Recursive requisites were found: {', '.join(edges)}"


def cycle_places(cycle: Iterable[tuple[Node, str, Node]]) -> tuple[StateLocation, ...]:
    """Return the locations at which the requisites of a cycle are written."""
    return tuple(
        StateLocation(
            str(dependant.low.get("__sls__") or ""),
            dependant.low["__id__"],
            (dependant.low["state"], _as_written(kind, dependant), str(dependency.low["__id__"])),
        )
        for dependant, kind, dependency in cycle
        if _as_written(kind, dependant) in dependant.low
    )


def _as_written(kind: str, dependant: Node) -> str:
    # The edge that holds a state back until its prereq has run is not written as `require` in any SLS.
    return "prereq" if kind == "require" and kind not in dependant.low else kind


def _described(node: Node) -> dict[str, Any]:
    described = {"SLS": node.low.get("__sls__"), "ID": node.low["__id__"]}
    if node.low["__id__"] != node.low["name"]:
        described["NAME"] = node.low["name"]
    return described


def _cycle_from(start: Node, finished: set[Node]) -> list[tuple[Node, str, Node]]:
    """Search depth-first along `wanted_by`; an edge back to the current path closes a cycle."""
    way: dict[Node, Iterator[tuple[Node, list[str]]]] = {start: iter(start.wanted_by.items())}
    while way:
        node = next(reversed(way))
        for dependant, _ in way[node]:
            if dependant in way:
                return _edges([*list(way)[list(way).index(dependant) :], dependant])
            if dependant not in finished:
                way[dependant] = iter(dependant.wanted_by.items())
                break
        else:
            finished.add(node)
            del way[node]
    return []


def _edges(way: list[Node]) -> list[tuple[Node, str, Node]]:
    """Return (dependant, kind, dependency) along a path of nodes that each need the previous one."""
    return [(later, later.needs[earlier][0], earlier) for earlier, later in itertools.pairwise(way)]


def _finish_from(start: Node, finished: dict[Node, None]) -> None:
    """Search depth-first along `wanted_by`; a node is finished after all nodes reachable from it."""
    way: dict[Node, Iterator[Node]] = {start: iter(start.wanted_by)}
    while way:
        node = next(reversed(way))
        for dependant in way[node]:
            if dependant not in way and dependant not in finished:
                way[dependant] = iter(dependant.wanted_by)
                break
        else:
            finished[node] = None
            del way[node]

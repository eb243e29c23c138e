"""Groups of chunks that one call of their module can handle together (`mod_aggregate`).

One package manager call for fifty packages is much faster than fifty calls. The graph decides which
chunks may be joined; only the module knows how.

Shapes: `group_nodes` takes nodes in running order and returns {node: its group}. Chunks of one module form a
group when none of them depends on another of them, even indirectly.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from salt_g.shapes import LowChunk, Running
from salt_g.shapes.aggregation import mark_aggregated
from salt_g.state.compile.node import Node

log = logging.getLogger(__name__)

#: Maximum number of chunks per group.
GROUP_SIZE = 500


class Group:
    """Chunks of one module that are called together.

    `mark` is the bit of this group, `waits_for` has the bits of the groups that it depends on. `nodes` is
    {node: place in the running order}; `begins` is the place of the second node, because a single node is not
    a group.
    """

    def __init__(self, module: str, mark: int) -> None:
        self.module = module
        self.mark = mark
        self.nodes: dict[Node, int] = {}
        self.begins = -1
        self.waits_for = 0


def group_nodes(ordered: Iterable[Node]) -> dict[Node, Group]:
    """Return the group of each node that may be aggregated.

    Each node carries one bit for every group that it depends on, propagated along the edges, so one walk over
    the graph is enough.
    """
    groups: list[Group] = []
    member_of: dict[Node, Group] = {}
    bits: dict[Node, int] = {}
    for place, node in enumerate(ordered):
        waits_for = 0
        for needed in node.needs:
            waits_for |= bits[needed]
        waits_for = _closure(waits_for, groups)
        if node.may_aggregate:
            group = _joinable(groups, node.low["state"], waits_for)
            group.nodes[node] = place
            if len(group.nodes) == 2:
                group.begins = place
            group.waits_for |= waits_for
            member_of[node] = group
            if node.preview is not None:
                member_of[node.preview] = group
            waits_for |= group.mark
        bits[node] = waits_for
    return member_of


def needs_of(node: Node, groups: Mapping[Node, Group]) -> Iterator[tuple[Node, list[str]]]:
    """Yield (node, kinds) for each dependency of a node and for all members of the dependencies' groups.

    The members count because one call does the work of a whole group. A preview has only its own
    dependencies, as in stock. The groups are sorted by the place in the running order at which they have at
    least two nodes, a needed one among them.
    """
    yield from node.needs.items()
    if not groups or node.is_preview:
        return
    needed_groups: dict[Group, dict[str, None]] = {}
    places: dict[Group, int] = {}
    for needed, kinds in node.needs.items():
        group = groups.get(needed)
        if group is not None and len(group.nodes) > 1 and not needed.is_preview:
            needed_groups.setdefault(group, {}).update(dict.fromkeys(kinds))
            place = max(group.begins, group.nodes[needed])
            places[group] = min(place, places.get(group, place))
    for group in sorted(places, key=places.__getitem__):
        yield from ((member, list(needed_groups[group])) for member in group.nodes)


def groups_first(ordered: Iterable[Node], groups: Mapping[Node, Group]) -> list[Node]:
    """Return the nodes with each group moved as a whole before the first node that depends on a member."""
    placed: dict[Node, None] = {}
    for start in ordered:
        way = [] if start in placed else [(start, needs_of(start, groups))]
        while way:
            node, needs = way[-1]
            missing = next((needed for needed, _ in needs if needed not in placed), None)
            if missing is None:
                placed[node] = None
                way.pop()
            else:
                way.append((missing, needs_of(missing, groups)))
    return list(placed)


def may_aggregate(low: LowChunk, option: Any, has_aggregate: Callable[[str], bool]) -> bool:
    """Return whether `aggregate` (else `state_aggregate`) includes a chunk and its module can aggregate."""
    wanted = low.get("aggregate", option)
    if wanted is True or (isinstance(wanted, (list, tuple, set)) and low["state"] in wanted):
        return has_aggregate(low["state"])
    return False


def aggregated(low: LowChunk, group: Group, function: Callable[..., Any], running: Running) -> LowChunk:
    """Return the chunk that does the work of its whole group; `low` if `mod_aggregate` raises TypeError."""
    mark_aggregated(low)
    try:
        merged: LowChunk = function(low, [node.low for node in group.nodes], running)
    except TypeError as exc:
        # Raised by the call, if the function has other arguments, or in the function.
        problem = "%s: mod_aggregate(low, chunks, running) failed, its states run one by one: %s"
        log.exception(problem, low["state"], exc)
        return low
    return merged


def _closure(marks: int, groups: list[Group]) -> int:
    """Return the marks plus those of all groups on which their groups depend, directly or indirectly."""
    seen = -1
    while marks != seen:
        seen = marks
        for group in groups:
            if marks & group.mark:
                marks |= group.waits_for
    return marks


def _joinable(groups: list[Group], module: str, waits_for: int) -> Group:
    for group in groups:
        if group.module == module and not waits_for & group.mark and len(group.nodes) < GROUP_SIZE:
            return group
    groups.append(Group(module, 1 << len(groups)))
    return groups[-1]

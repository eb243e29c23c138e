"""State returns of a minion and its resources, split into one return each.

Some peers answer for all their resources in one block; it is split here, so that a job, its events and their
readers have one result for each resource.
Shapes: in: the load of a `_return`; out: loads with `resource_id`, and the minion's own load if the block has
a part for the minion. `remapping.py` then finds the resource of each.
Source: resources specification, section 11.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from salt_g.resource_model import merged_state_runs
from salt_g.shapes.loads import ReturnLoad

#: Functions whose returns may combine those of a minion and its resources.
MERGED = frozenset(f"state.{name}" for name in ("apply", "highstate", "sls", "sls_id", "single"))


def unfold(load: ReturnLoad, is_expected: Callable[[str], bool]) -> Iterator[ReturnLoad]:
    """Yield the separate returns in a combined return; usually just the return itself.

    `is_expected` returns whether the job expects a name as a resource of the sender.
    """
    block = load["return"]
    if load.get("fun") not in MERGED or "resource_id" in load or not isinstance(block, Mapping):
        yield load
        return
    own, of_resources = merged_state_runs.split_state_runs(block, is_expected)
    if own or not of_resources:
        yield {**load, "return": own, **_verdict(own)} if of_resources else load
    for id, running in of_resources.items():
        yield {**load, "resource_id": id, "return": running, **_verdict(running)}


def _verdict(running: Any) -> ReturnLoad:
    """Return the result fields of one part, because the retcode of the whole covers all parts."""
    if not isinstance(running, Mapping):
        return {"retcode": 1, "success": False, "out": "nested"}
    is_well = all(isinstance(one, Mapping) and one.get("result") is not False for one in running.values())
    return {"retcode": 0 if is_well else 2, "success": is_well, "out": "highstate"}

"""One return that holds the state runs of a minion and of its resources becomes one of each.

Why its own file: some peers answer for all that they manage in one block; here it is taken apart, so that a
job, its events and who reads them know one verdict for each resource.
Shapes: the load of a `_return` in; loads with `resource_id`, and the minion's own when it has a part of its
own, out. Whose resource it is, `remapping.py` asks of each afterwards.
Source: resources specification, section 11.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from salt_g.resource_model import merged_state_runs

#: Functions whose returns may be blocks.
MERGED = frozenset(f"state.{name}" for name in ("apply", "highstate", "sls", "sls_id", "single"))


def unfold(load: dict[str, Any], is_meant: Callable[[str], bool]) -> Iterator[dict[str, Any]]:
    """Yield the returns that a return holds; most are one and the same.

    `is_meant` says whether a name is that of a resource of the sender, in the job of the return.
    """
    block = load["return"]
    if load.get("fun") not in MERGED or "resource_id" in load or not isinstance(block, Mapping):
        yield load
        return
    own, of_resources = merged_state_runs.split_state_runs(block, is_meant)
    if own or not of_resources:
        yield {**load, "return": own, **_verdict(own)} if of_resources else load
    for id, running in of_resources.items():
        yield {**load, "resource_id": id, "return": running, **_verdict(running)}


def _verdict(running: Any) -> dict[str, Any]:
    """Return what goes with a part: the whole's retcode speaks of all of them."""
    if not isinstance(running, Mapping):
        return {"retcode": 1, "success": False, "out": "nested"}
    is_well = all(isinstance(one, Mapping) and one.get("result") is not False for one in running.values())
    return {"retcode": 0 if is_well else 2, "success": is_well, "out": "highstate"}

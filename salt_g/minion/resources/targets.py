"""Evaluation of a job's target for the resources of this minion.

A minion applies the master's rule (`salt_g/match/resource.py`) to the target in the job's load; the master
sends it no list of resources.
Source: resources specification, sections 8.2 and 9.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from salt_g.match.matchers import MinionView, Resource, parse_target
from salt_g.match.resource import is_glob
from salt_g.minion.resources.managed import ManagedResources
from salt_g.process.offload import yield_to_hub
from salt_g.resource_model.minion_only_functions import is_minion_only
from salt_g.resource_model.srn import Srn
from salt_g.shapes.loads import JobLoad

#: Number of resources examined between two yields to other greenlets; they take some 5 ms.
SLICE = 500
#: Default separator of key and value in grain targets.
_DELIMITER = ":"


def selected(load: JobLoad, managed: ManagedResources, minion: MinionView) -> list[Srn]:
    """Return the resources that a job targets, in the order of pillar; raises TargetError."""
    wanted = dict.fromkeys(_chosen(load, managed, minion))
    if not wanted:
        return []
    allowed = {name: not _is_minion_only(load["fun"], name, managed) for name in managed.ids}
    return [srn for srn in wanted if allowed.get(srn.type)]


def _chosen(load: JobLoad, managed: ManagedResources, minion: MinionView) -> Iterator[Srn]:
    tgt, tgt_type = load["tgt"], str(load.get("tgt_type") or "glob")
    if tgt_type == "glob" and isinstance(tgt, str) and not is_glob(tgt):
        yield from _named(tgt, managed)
        return
    part = parse_target(
        tgt, tgt_type, nodegroups=minion.nodegroups, delimiter=str(load.get("delimiter") or _DELIMITER)
    )
    for number, srn in enumerate(managed, 1):
        known = managed.of(srn) if part.types is None or srn.type in part.types else None
        if known is not None and part.matches(
            Resource(srn.type, srn.id, minion, known.grains, known.selected_by), False
        ):
            yield srn
        if number % SLICE == 0:
            yield_to_hub()


def _named(name: str, managed: ManagedResources) -> Iterator[Srn]:
    """Yield the resources with a name, which is an SRN or a bare id of any type."""
    kind, _, id = name.partition(":")
    for srn in (*(Srn(type, name) for type in managed.ids), Srn(kind, id)):
        if managed.knows(srn):
            yield srn


def _is_minion_only(fun: Any, name: str, managed: ManagedResources) -> bool:
    """Return whether a job's functions are minion-only for resources of this type."""
    functions = [fun] if isinstance(fun, str) else [str(one) for one in fun]
    type = managed.types.of(name)
    return all(
        is_minion_only(function) and (type is None or type.modules.get(function) is None)
        for function in functions
    )

"""Descriptions of the differences between a plan and the current states, pillar and files.

Shapes: a difference is one line without the name of the minion; `refusal` joins these lines into a sentence.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence

from salt_g.errors import PlanRefused
from salt_g.shapes.plans import PlanDocument, PlannedChunk
from salt_g.state.plan.document import clock

#: Maximum number of differences that are named; the others are counted.
MAX_NAMED = 10


def refusal(document: PlanDocument, differences: Sequence[str], differing: int) -> PlanRefused:
    """Return the error that lists differences.

    `differing` is the number of differing states, 0 if only pillar or files differ.
    """
    of = f"{differing} of {len(document['chunks'])} differ" if differing else "it is not as planned"
    more = len(differences) - MAX_NAMED
    lines = [*differences[:MAX_NAMED], *([f"and {more} more"] if more > 0 else [])]
    return PlanRefused(f"{document['id']}: not applied, {of}: {'; '.join(lines)}")


def of_maps(planned: Mapping[str, str], present: Mapping[str, str], word: str) -> Iterator[str]:
    """Yield a line for each entry of pillar or files that differs; `word` precedes its name."""
    for name in sorted({*planned, *present}):
        if planned.get(name) == present.get(name):
            continue
        how = "is new" if name not in planned else "is gone" if name not in present else "has changed"
        yield f"{word}{name} {how}"


def of_lows(document: PlanDocument, present: Mapping[str, tuple[str, str]]) -> Iterator[str]:
    """Yield a line for each chunk that compiles differently now; `present` is {key: (digest, name)}."""
    planned = {chunk["key"]: chunk for chunk in document["chunks"] if chunk["low"]}
    for key, (digest, name) in present.items():
        if key not in planned:
            yield f"{name} is not in the plan"
        elif planned[key]["low"] != digest:
            yield f"{name} has other arguments than planned"
    for key, chunk in planned.items():
        if key not in present:
            yield f"{_name(chunk)} is in the plan but no longer in the states"


def of_outcomes(document: PlanDocument, present: Sequence[PlannedChunk]) -> Iterator[str]:
    """Yield a line for each chunk that would not change exactly what was planned."""
    planned = {chunk["key"]: chunk for chunk in document["chunks"]}
    for chunk in present:
        was = planned.pop(chunk["key"], None)
        if was is None:
            yield f"{_name(chunk)} is not in the plan, now {chunk['shown']}"
        elif was["outcome"] != chunk["outcome"]:
            yield otherwise(was, chunk, made=document["made"])
    for was in planned.values():
        yield f"{_name(was)} planned {was['shown']}, now it does not run"


def otherwise(was: PlannedChunk, now: PlannedChunk, *, made: float) -> str:
    """Return a line with the planned and the current changes of a chunk."""
    same = " (other lines)" if was["shown"] == now["shown"] else ""
    return f"{_name(now)} planned {was['shown']}, now {now['shown']}{same}{_edited(now['name'], made)}"


def name_of(fun: str, name: str) -> str:
    """Return the name of a chunk for messages: its path, else its function and name."""
    return name if name.startswith("/") else f"{fun} {name}"


def _name(chunk: PlannedChunk) -> str:
    return name_of(chunk["fun"], chunk["name"])


def _edited(name: str, made: float) -> str:
    """Return a remark on when a path was last edited; '' if unknown, or before the plan was made."""
    if not name.startswith("/"):
        return ""
    try:
        edited = os.stat(name).st_mtime
    except OSError:
        return ""
    return f" (edited {clock(edited)})" if edited >= made else ""

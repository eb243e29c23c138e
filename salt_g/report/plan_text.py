"""Plans as text: a summary line, and a list of the states that would change something or fail.

Shapes: counts are {minions, change, states, nothing, failing, opaque}: the numbers of minions, of minions
that would change something, of states that would, of minions with nothing to do, of failing states, of opaque
states. Times are in this machine's time zone.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from typing import Any

from salt_g.formats.ansi import printable

#: Verdicts on chunks (`state/plan/summaries.py`).
_CHANGE, _FAILS = "change", "fails"
_DAY = 24 * 3600


def counts_of(documents: Iterable[Mapping[str, Any]]) -> dict[str, int]:
    """Return the counts over the plans of several minions."""
    counts = dict.fromkeys(("minions", "change", "states", "nothing", "failing", "opaque"), 0)
    for document in documents:
        verdicts = [chunk["verdict"] for chunk in document["chunks"]]
        changing, failing = verdicts.count(_CHANGE), verdicts.count(_FAILS)
        counts["minions"] += 1
        counts["change"] += bool(changing)
        counts["states"] += changing
        counts["nothing"] += not changing and not failing
        counts["failing"] += failing
        counts["opaque"] += sum(bool(chunk["opaque"]) for chunk in document["chunks"])
    return counts


def line_of(name: str, counts: Mapping[str, int], until: float, *, now: float | None = None) -> str:
    """Return a summary: `plan 7f3a91: 3 minions, 2 would change (4 states), 1 nothing; until 01:30`."""
    parts = [
        f"{counts['minions']} minion{'' if counts['minions'] == 1 else 's'}",
        f"{counts['change']} would change ({counts['states']} state{'' if counts['states'] == 1 else 's'})",
        f"{counts['nothing']} nothing",
    ]
    parts += [f"{counts[word]} {word}" for word in ("failing", "opaque") if counts[word]]
    return f"plan {name}: {', '.join(parts)}; until {moment(until, now=now)}"


def moment(when: float, *, now: float | None = None) -> str:
    """Format a time as `01:30` if it is today, `01:30 tomorrow`, or with its date."""
    now = time.time() if now is None else now
    clock = time.strftime("%H:%M", time.localtime(when))
    day = time.strftime("%Y-%m-%d", time.localtime(when))
    if day == time.strftime("%Y-%m-%d", time.localtime(now)):
        return clock
    if day == time.strftime("%Y-%m-%d", time.localtime(now + _DAY)):
        return f"{clock} tomorrow"
    return f"{clock} on {day}"


def states_of(document: Mapping[str, Any], *, with_text: bool = False) -> list[str]:
    """Return a line for each state of one minion's plan that would change something or fail.

    With `with_text`, each line is followed by the state's changes as a diff or JSON.
    """
    lines = []
    for chunk in document["chunks"]:
        if chunk["verdict"] in (_CHANGE, _FAILS):
            name = chunk["name"] if chunk["name"] == chunk["id"] else f"{chunk['id']} {chunk['name']}"
            what = f"{chunk['opaque']} (opaque)" if chunk["opaque"] else chunk["shown"]
            lines.append(f"{chunk['fun']}  {name}  {what}")
            if with_text:
                lines += [f"    {line}" for line in chunk["text"].splitlines()]
    return list(map(printable, lines))

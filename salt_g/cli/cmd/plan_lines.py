"""Text form of a master's plans for `salt-g cmd --save` and `salt-g plan`.

Shapes: records and documents are in the master's form, see `shapes/plans.py`.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from typing import Any

from salt_g.formats.ansi import printable
from salt_g.report.plan_text import line_of, moment, states_of

#: Maximum number of excluded minions that are named.
_MAX_NAMED = 20


def summary_lines(record: Mapping[str, Any]) -> Iterator[str]:
    """Yield the summary line of a plan, and one line for each minion that the plan excludes."""
    if not record["is_closed"]:
        yield f"plan {record['id']}: not complete, its test run is job {record['jid']}"
        return
    yield line_of(record["id"], record["counts"], record["until"])
    refused = sorted(record["refused"].items())
    for minion, why in refused[:_MAX_NAMED]:
        yield f"  without {minion}: {printable(why)}"
    if len(refused) > _MAX_NAMED:
        yield f"  without {len(refused) - _MAX_NAMED} more minions"


def list_line(record: Mapping[str, Any]) -> str:
    """Return a plan's line in the list of plans."""
    made = time.strftime("%H:%M", time.localtime(record["made"]))
    words = [record["id"], made, record["user"], _call(record)]
    if record["name"]:
        words.append(f"({record['name']})")
    counts = record["counts"]
    if counts:
        minions, states = (_counted(counts[word], word) for word in ("minions", "states"))
        words.append(f"{counts['change']} of {minions}, {states}")
    return printable("  ".join([*words, *_history(record), f"until {moment(record['until'])}"]))


def _counted(number: int, word: str) -> str:
    return f"{number} {word.removesuffix('s') if number == 1 else word}"


def detail_lines(
    record: Mapping[str, Any], documents: Mapping[str, Any], *, with_text: bool
) -> Iterator[str]:
    """Yield all details of a plan; minions with the same changes are grouped."""
    yield from summary_lines(record)
    made = time.strftime("%H:%M", time.localtime(record["made"]))
    yield printable(f"  {_call(record)}, by {record['user']} at {made}")
    yield from (f"  {line}" for line in _history(record))
    together: dict[tuple[str, ...], list[str]] = {}
    for minion, document in documents.items():
        lines = ["its part cannot be read"] if document is None else states_of(document, with_text=with_text)
        together.setdefault(tuple(lines) or ("nothing",), []).append(minion)
    for shown, minions in together.items():
        yield f"{', '.join(minions)}:"
        yield from (f"    {line}" for line in shown)


def _call(record: Mapping[str, Any]) -> str:
    words = []
    for one in record["arg"]:
        if isinstance(one, Mapping):
            words += [f"{key}={value}" for key, value in one.items() if not key.startswith("__")]
        else:
            words.append(str(one))
    return " ".join([record["fun"], *words])


def _history(record: Mapping[str, Any]) -> list[str]:
    lines = [
        f"approved by {one['user']} at {time.strftime('%H:%M', time.localtime(one['at']))}"
        for one in record["approvals"]
    ]
    if record.get("approval") == "other" and not lines and not record["applied"]:
        lines.append("waits for the approval of another person")
    return lines + [f"applied by {one['user']} as job {one['jid']}" for one in record["applied"]]

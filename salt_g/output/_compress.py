"""States of one id with equal results, merged into one (`state_compress_ids`).

Source: stock's `highstate`; the compressed tag is `module_|-id (count)_|-state_compressed_..._|-fun`.
"""

from __future__ import annotations

import collections
import re
from typing import Any

from salt_g.shapes import Changes, LowTag, Running, StateReturn, is_low_tag

_MARK = "state_compressed_"
_COUNT = re.compile(r"\((\d+)\)$")


def compress_ids(data: dict[str, Any]) -> dict[str, Any]:
    """Return {host: {low tag: state return}} with states merged; return data of another shape unchanged."""
    try:
        return {host: _compress(states) for host, states in data.items()}
    except (AttributeError, KeyError, TypeError, IndexError, ValueError):
        import logging

        logging.getLogger(__name__).warning(
            "Unable to compress state output by ID! Returning output normally."
        )
        return data


def count_of(tag: str) -> int:
    """Return the number of states merged under a tag."""
    if not is_low_tag(tag):
        return 1
    chunk = LowTag.parse(tag)
    found = _COUNT.search(chunk.id) if chunk.name.startswith(_MARK) else None
    return int(found[1]) if found else 1


def _compress(states: Running) -> Running:
    numbers = collections.Counter(_alike(tag, state) for tag, state in states.items())
    compressed: Running = {}
    for tag, state in states.items():
        number = numbers[_alike(tag, state)]
        new_tag = tag if number == 1 else _joined_tag(tag, state, number)
        known = compressed.get(new_tag)
        compressed[new_tag] = state if known is None else _joined(known, state)
    return compressed


def _alike(tag: str, state: StateReturn) -> tuple[str, ...]:
    return LowTag.parse(tag).state, str(state["__id__"]), str(state["__sls__"]), str(state["result"])


def _joined_tag(tag: str, state: StateReturn, number: int) -> str:
    name = f"{_MARK}{state['__sls__']}_{state['__id__']}_{state['result']}"
    return str(LowTag.parse(tag)._replace(id=f"{state['__id__']} ({number})", name=name))


def _joined(known: StateReturn, state: StateReturn) -> StateReturn:
    """Merge two states: the lower run number, the earlier start, the sum of durations, changes by name."""
    return {
        **known,
        "__run_num__": min(known["__run_num__"], state["__run_num__"]),
        "duration": round(known["duration"] + state["duration"], 3),
        "start_time": min(known["start_time"], state["start_time"]),
        "changes": _joined_changes(known, state),
    }


def _joined_changes(known: StateReturn, state: StateReturn) -> Changes:
    changes: Changes = known.get("changes") or {}
    if not state.get("changes"):
        return changes
    by_name = changes.get("compressed changes")
    if by_name is None:
        by_name = {known["name"]: changes} if changes else {}
    return {"compressed changes": {**by_name, state["name"]: state["changes"]}}

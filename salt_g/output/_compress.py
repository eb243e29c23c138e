"""States of one id with equal results, merged into one (`state_compress_ids`).

Source: stock's `highstate`; the compressed tag is `module_|-id (count)_|-state_compressed_..._|-fun`.
"""

from __future__ import annotations

import collections
import re
from typing import Any

_MARK = "_|-state_compressed_"
_COUNT = re.compile(r"\((\d+)\)$")


def compress_ids(data: dict[str, Any]) -> dict[str, Any]:
    """Return {host: {low tag: state return}} with states merged; data of another shape is unchanged."""
    try:
        return {host: _compress(states) for host, states in data.items()}
    except (AttributeError, KeyError, TypeError, IndexError):
        import logging

        logging.getLogger(__name__).warning(
            "Unable to compress state output by ID! Returning output normally."
        )
        return data


def count_of(tag: str) -> int:
    """Return the number of states merged under a tag."""
    if _MARK not in tag:
        return 1
    found = _COUNT.search(tag.split("_|-")[1])
    return int(found[1]) if found else 1


def _compress(states: dict[str, Any]) -> dict[str, Any]:
    numbers = collections.Counter(_alike(tag, state) for tag, state in states.items())
    compressed: dict[str, Any] = {}
    for tag, state in states.items():
        number = numbers[_alike(tag, state)]
        new_tag = tag if number == 1 else _joined_tag(tag, state, number)
        known = compressed.get(new_tag)
        compressed[new_tag] = state if known is None else _joined(known, state)
    return compressed


def _alike(tag: str, state: dict[str, Any]) -> tuple[str, ...]:
    return tag.split("_|-")[0], str(state["__id__"]), str(state["__sls__"]), str(state["result"])


def _joined_tag(tag: str, state: dict[str, Any], number: int) -> str:
    module, _, _, *rest = tag.split("_|-")
    name = f"state_compressed_{state['__sls__']}_{state['__id__']}_{state['result']}"
    return "_|-".join([module, f"{state['__id__']} ({number})", name, *rest])


def _joined(known: dict[str, Any], state: dict[str, Any]) -> dict[str, Any]:
    """Return both states as one: the first number and start, the sum of times, changes by name."""
    return {
        **known,
        "__run_num__": min(known["__run_num__"], state["__run_num__"]),
        "duration": round(known["duration"] + state["duration"], 3),
        "start_time": min(known["start_time"], state["start_time"]),
        "changes": _joined_changes(known, state),
    }


def _joined_changes(known: dict[str, Any], state: dict[str, Any]) -> dict[str, Any]:
    changes: dict[str, Any] = known.get("changes") or {}
    if not state.get("changes"):
        return changes
    by_name = changes.get("compressed changes")
    if by_name is None:
        by_name = {known["name"]: changes} if changes else {}
    return {"compressed changes": {**by_name, state["name"]: state["changes"]}}

"""State returns as created and completed by the engine, in stock's result schema.

Units: `duration` in ms, `start_time` local time of day.
"""

from __future__ import annotations

import datetime
from collections.abc import Iterator
from typing import Any

from salt_g.shapes import LowChunk, Running, StateReturn, low_tag

#: Replacement for a secret.
MASK = "**********"


def completed(low: LowChunk, ret: StateReturn, *, start: float, end: float, number: int) -> StateReturn:
    """Return a function's return with the engine's keys: SLS, run number, start time, duration."""
    return {
        **ret,
        "__sls__": low.get("__sls__"),
        "__run_num__": number,
        "start_time": datetime.datetime.fromtimestamp(start).time().isoformat(),
        "duration": round((end - start) * 1000, 3),
        "__id__": low.get("__id__"),
    }


def not_run(low: LowChunk, result: bool, comment: str, *, now: float, number: int) -> StateReturn:
    """Return the return of a chunk that did not run because of its requisites."""
    ret: StateReturn = {"changes": {}, "result": result, "comment": comment, "__state_ran__": False}
    return {**completed(low, ret, start=now, end=now, number=number), "name": low["name"]}


def cut(low: LowChunk, comment: str, *, now: float, number: int) -> StateReturn:
    """Return the failure of a chunk that was running when its run ended, or that must not begin."""
    ret: StateReturn = {"changes": {}, "result": False, "comment": comment}
    return {**completed(low, ret, start=now, end=now, number=number), "name": low["name"]}


def not_called(low: LowChunk, problems: list[str], *, number: int) -> StateReturn:
    """Return the failure of a chunk that cannot be called."""
    comment = "".join(f"{problem}\n" for problem in problems)
    return {"result": False, "name": low["name"], "changes": {}, "comment": comment, "__run_num__": number}


def malformed(text: str) -> StateReturn:
    """Return the placeholder for a malformed return, without the engine's keys and with stock's odd name."""
    comment = f"An exception occurred in this state: {text}"
    return {"result": False, "name": "later", "changes": {}, "comment": comment}


def prereq_failed(low: LowChunk, preview: StateReturn, *, number: int) -> StateReturn:
    """Return the return of a previewed chunk whose requisites failed: its preview, without changes."""
    return {
        **preview,
        "changes": {},
        "__run_num__": number,
        "__sls__": low.get("__sls__"),
        "__id__": low.get("__id__"),
        "name": low["name"],
    }


def under_way(low: LowChunk) -> StateReturn:
    """Return the placeholder for a parallel chunk until it is finished."""
    return {"name": low["name"], "result": None, "changes": {}, "comment": "Started in a separate process"}


def sub_states(low: LowChunk, ret: StateReturn, *, now: float, numbers: Iterator[int]) -> Running:
    """Return the entries of `sub_state_run`, each under its own tag."""
    made: Running = {}
    for sub in ret.get("sub_state_run", ()):
        plain: StateReturn = {
            "changes": sub["changes"],
            "result": sub["result"],
            "comment": sub.get("comment", ""),
            "__state_ran__": True,
        }
        entry = completed(low, plain, start=now, end=now, number=next(numbers))
        entry["name"] = low["name"]
        if "duration" in sub:
            entry["duration"] = sub["duration"]
        if "start_time" in sub:
            entry["start_time"] = sub["start_time"]
        made[low_tag(sub["low"])] = entry
    return made


def masked(ret: StateReturn) -> StateReturn:
    """Return a copy of a return with its name, comment and changes masked (`no_log`)."""
    return {
        **ret,
        "name": _mask(ret["name"]),
        "comment": _masked_comment(ret),
        "changes": _mask(ret["changes"]),
    }


def _masked_comment(ret: StateReturn) -> Any:
    """Mask a comment; for a skipped state mask each line, because each line is about one condition."""
    comment = ret["comment"]
    if ret.get("skip_watch") and isinstance(comment, str):
        return "\n".join(map(_mask, comment.split("\n")))
    return _mask(comment)


def _mask(value: Any) -> Any:
    """Mask every value that is not empty, false or zero; keys stay."""
    if isinstance(value, dict):
        return {key: _mask(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_mask(item) for item in value]
    if isinstance(value, bytes):
        return MASK.encode() if value else value
    # A number can be the secret, too.
    return MASK if isinstance(value, (str, int, float)) and value else value

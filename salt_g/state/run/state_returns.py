"""State returns as created and completed by the engine, in stock's result schema.

Shapes: a Return is a StateReturn with the engine's own keys (`__sls__`, `__id__`, `__run_num__`,
`__state_ran__`, ...). Units: `duration` in ms, `start_time` local time of day.
"""

from __future__ import annotations

import datetime
from collections.abc import Iterator
from typing import Any

from salt_g.shapes import LowChunk, low_tag

#: State return with the engine's own keys.
Return = dict[str, Any]
#: {low tag: return}
Returns = dict[str, Return]

#: Replacement for a secret.
MASK = "**********"


def completed(low: LowChunk, ret: Return, *, start: float, end: float, number: int) -> Return:
    """Return a function's return with the engine's keys: SLS, run number, start time, duration."""
    return {
        **ret,
        "__sls__": low.get("__sls__"),
        "__run_num__": number,
        "start_time": datetime.datetime.fromtimestamp(start).time().isoformat(),
        "duration": round((end - start) * 1000, 3),
        "__id__": low.get("__id__"),
    }


def not_run(low: LowChunk, result: bool, comment: str, *, now: float, number: int) -> Return:
    """Return the return of a chunk that did not run because of its requisites."""
    ret = {"changes": {}, "result": result, "comment": comment, "__state_ran__": False}
    return {**completed(low, ret, start=now, end=now, number=number), "name": low["name"]}


def not_called(low: LowChunk, problems: list[str], *, number: int) -> Return:
    """Return the failure of a chunk that cannot be called."""
    comment = "".join(f"{problem}\n" for problem in problems)
    return {"result": False, "name": low["name"], "changes": {}, "comment": comment, "__run_num__": number}


def malformed(text: str, *, is_counted: bool) -> Return:
    """Return the placeholder for a malformed return, bare, under stock's odd name for it.

    It has a run number only where stock's has one (`is_counted`).
    """
    comment = f"An exception occurred in this state: {text}"
    return {"result": False, "name": "later", "changes": {}, "comment": comment, "__malformed__": is_counted}


def prereq_failed(low: LowChunk, preview: Return, *, number: int) -> Return:
    """Return the preview's return for a chunk whose prereq failed; nothing was changed."""
    about = {"__run_num__": number, "__sls__": low.get("__sls__"), "__id__": low.get("__id__")}
    return {**preview, "changes": {}, **about, "name": low["name"]}


def under_way(low: LowChunk) -> Return:
    """Return the placeholder for a parallel chunk until it is finished."""
    return {"name": low["name"], "result": None, "changes": {}, "comment": "Started in a separate process"}


def sub_states(low: LowChunk, ret: Return, *, now: float, numbers: Iterator[int]) -> Returns:
    """Return the entries of `sub_state_run`, each under its own tag."""
    made = {}
    for sub in ret.get("sub_state_run", ()):
        plain = {"changes": sub["changes"], "result": sub["result"], "comment": sub.get("comment", "")}
        entry = completed(low, {**plain, "__state_ran__": True}, start=now, end=now, number=next(numbers))
        times = {key: sub[key] for key in ("duration", "start_time") if key in sub}
        made[low_tag(sub["low"])] = {**entry, **times, "name": low["name"]}
    return made


def masked(ret: Return) -> Return:
    """Return a copy with its values hidden (`no_log`)."""
    return {**ret, **{key: _mask(ret[key]) for key in ("name", "comment", "changes")}}


def _mask(value: Any) -> Any:
    """Hide every value that is not empty, false or zero; keys stay."""
    if isinstance(value, dict):
        return {key: _mask(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_mask(item) for item in value]
    if isinstance(value, bytes):
        return MASK.encode() if value else value
    # A number may also be the secret.
    return MASK if isinstance(value, (str, int, float)) and value else value

"""Report of a job by minion and state, as data for text and HTML.

Pure functions; the runner `jobs.report` collects the data, the outputter `html` formats it.
Shapes: {jid, fun, arg, tgt, tgt_type, user, began, counts: {verdict: number}, minions: {id: Minion}};
a Minion is {verdict, retcode, states: [State]} of a state run, {verdict, retcode, return} of anything else,
both with `signal` if a signal ended the job;
of a silent minion {verdict, connected, heard, received, step} (the last four only if the master knows them);
a State is {state, id, name, sls, result, verdict, changes, comment, started, duration}.
Verdicts: `failed`, `silent` (did not return), `changed`, `would change`, `ok`.
Units: `started` is milliseconds after the first state of all minions, by the minions' own clocks;
`duration` is in milliseconds.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from salt_g.data import jid as jids
from salt_g.report import ended_jobs
from salt_g.shapes import LowTag, StateReturn, is_low_tag
from salt_g.shapes.loads import JobLoad

#: Verdicts on a minion or state, worst first.
VERDICTS = ("failed", "silent", "would change", "changed", "ok")
_DAY_MS = 86_400_000.0


def report(
    jid: str,
    load: JobLoad,
    results: Mapping[str, Mapping[str, Any]],
    expected: Iterable[str],
    known: Mapping[str, Mapping[str, Any]] | None = None,
) -> dict[str, Any]:
    """Return the report of a job from its load, {id: {return, retcode, success}} and the expected minions.

    `known` is the master's information about silent minions (`master/returns/absences.py`), which is added to
    their entries.
    """
    minions = {id: _minion(results[id]) for id in sorted(results)}
    silent = sorted(set(expected) - minions.keys())
    minions.update((id, {"verdict": "silent", **(known or {}).get(id, {})}) for id in silent)
    _align([state for minion in minions.values() for state in minion.get("states", ())])
    verdicts = [minion["verdict"] for minion in minions.values()]
    return {
        "jid": jid,
        "fun": load.get("fun", ""),
        "arg": list(load.get("arg") or []),
        "tgt": load.get("tgt", ""),
        "tgt_type": load.get("tgt_type", "glob"),
        "user": load.get("user", ""),
        "began": jids.started_at(jid) if jids.is_jid(jid[: jids.LENGTH]) else "",
        "counts": {verdict: verdicts.count(verdict) for verdict in VERDICTS if verdict in verdicts},
        "minions": minions,
    }


def is_report(data: Any) -> bool:
    """Return whether data is a result of `report`."""
    return isinstance(data, dict) and {"jid", "counts", "minions"} <= data.keys()


def _minion(result: Mapping[str, Any]) -> dict[str, Any]:
    returned, retcode = result.get("return"), result.get("retcode", 0)
    went_wrong = result.get("success") is False or bool(retcode)
    number = ended_jobs.signal_of(returned, retcode) if isinstance(retcode, int) else 0
    ended = {"signal": number} if number else {}
    if returned is None or not is_state_run(returned):
        return {"verdict": "failed" if went_wrong else "ok", "retcode": retcode, **ended, "return": returned}
    ordered = sorted(returned.items(), key=lambda item: _number(item[1].get("__run_num__")))
    states = [_state(tag, state) for tag, state in ordered]
    verdicts = [state["verdict"] for state in states] + (["failed"] if went_wrong else [])
    worst = min(verdicts, key=VERDICTS.index, default="ok")
    return {"verdict": worst, "retcode": retcode, **ended, "states": states}


def is_state_run(returned: Any) -> bool:
    """Return whether a return is a running dict."""
    return (
        isinstance(returned, dict)
        and bool(returned)
        and all(
            is_low_tag(tag) and isinstance(state, dict) and "result" in state
            for tag, state in returned.items()
        )
    )


def _state(tag: str, state: StateReturn) -> dict[str, Any]:
    chunk = LowTag.parse(tag)
    return {
        "state": f"{chunk.state}.{chunk.fun}",
        "id": state.get("__id__", chunk.id),
        "name": state.get("name", chunk.name),
        "sls": state.get("__sls__", ""),
        "result": state["result"],
        "verdict": verdict_of(state),
        "changes": state.get("changes") or {},
        "comment": state.get("comment", ""),
        "started": _moment_ms(state.get("start_time")),
        "duration": _number(state.get("duration")),
    }


def verdict_of(state: Mapping[str, Any]) -> str:
    """Return the verdict on one state."""
    if state["result"] is False:
        return "failed"
    if state["result"] is None:
        return "would change"
    return "changed" if state.get("changes") else "ok"


def _align(states: list[dict[str, Any]]) -> None:
    """Make start times relative to the first; if they span half a day, those before noon count as later."""
    known = [state["started"] for state in states if state["started"] is not None]
    if not known:
        return
    if max(known) - min(known) > _DAY_MS / 2:
        known = [moment + _DAY_MS if moment < _DAY_MS / 2 else moment for moment in known]
    first = min(known)
    for state in states:
        if state["started"] is not None:
            state["started"] = round((state["started"] - first) % _DAY_MS, 3)


def _moment_ms(text: Any) -> float | None:
    """Return a `start_time`, HH:MM:SS.ffffff, as milliseconds of its day; None if malformed."""
    try:
        hours, minutes, seconds = str(text).split(":")
        return (int(hours) * 3600 + int(minutes) * 60 + float(seconds)) * 1000
    except ValueError:
        return None


def _number(value: Any) -> float:
    """Parse a number, which minions may send as `12.5 ms`; return 0 if it is malformed."""
    try:
        return float(str(value).partition(" ")[0])
    except ValueError:
        return 0.0

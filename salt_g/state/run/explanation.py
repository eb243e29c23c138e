"""Explanation for users of why a chunk ran or did not run: all its requisites, and those that decided.

Shapes: {"verdict": "skip: no onchanges target changed", "because": ["onchanges file /etc/x: no changes"],
"requisites": ["onchanges file /etc/x: no changes", "require pkg nginx: changed"]}. Returns have it only if
the run asks for it (`explain=True`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from salt_g.shapes import Explanation, LowChunk, StateReturn
from salt_g.state.run.conditions import CONDITIONS
from salt_g.state.run.requisites import Found, RequisiteVerdict, outcomes_of

#: Outcomes of a target that lead to each verdict.
_DECISIVE = {
    RequisiteVerdict.FAIL: {"fail"},
    RequisiteVerdict.SKIP_REQUISITES: {"skip"},
    RequisiteVerdict.SKIP_WATCH: {"skip"},
    RequisiteVerdict.NO_PREVIEW_CHANGES: {"preview quiet"},
    RequisiteVerdict.ONFAIL_QUIET: {"onfail quiet"},
    RequisiteVerdict.ONCHANGES_QUIET: {"onchanges quiet"},
    RequisiteVerdict.CHANGE: {"change"},
    RequisiteVerdict.MET: {"onchanges met", "preview changes"},
}


def explanation(
    found: Found,
    verdict: RequisiteVerdict,
    ret: StateReturn,
    low: LowChunk | None = None,
    *,
    ends_run: bool = False,
) -> Explanation:
    """Return why the chunk with the return `ret` ran or did not run; `ends_run` says that it ends the run."""
    decisive = _DECISIVE[verdict]
    because = [
        _described(kind, low, target)
        for kind, low, target in _targets(found)
        if outcomes_of(kind, target) & decisive
    ]
    words = verdict.value
    if ret.get("skip_watch") and ret.get("__state_ran__", True) and not ret["changes"]:
        words = "skip: a condition of its own"
        because = [*because, str(ret["comment"]), *_conditions(low or {})]
    elif not any(True for _ in _targets(found)):
        words = "run: it depends on nothing"
    if ends_run:
        because = [*because, "failhard: the run ends here, later states do not run"]
    return {
        "verdict": words,
        "because": because,
        "requisites": [_described(kind, low, target) for kind, low, target in _targets(found)],
    }


def _conditions(low: Mapping[str, Any]) -> Iterator[str]:
    """Yield a chunk's conditions with recognizable passwords redacted; yield none for `no_log`."""
    for word in () if low.get("no_log") else (word for word in CONDITIONS if word in low):
        value = low[word]
        for entry in value if isinstance(value, list) else [value]:
            if isinstance(entry, str):
                from salt_g.process.redaction import redacted  # Imported lazily: only needed after a failure.

                yield f"{word}: {redacted(entry)}"
            elif isinstance(entry, dict) and "fun" in entry:
                yield f"{word}: {entry['fun']}"


def _targets(found: Found) -> Iterable[tuple[str, LowChunk, StateReturn]]:
    return ((kind, low, ret) for kind, targets in found.items() for low, ret in targets)


def _described(kind: str, low: LowChunk, ret: StateReturn) -> str:
    return f"{kind} {low['state']} {low['__id__']}: {_outcome(ret)}"


def _outcome(ret: StateReturn) -> str:
    if ret["result"] is False:
        return "failed" if ret.get("__state_ran__", True) else "not run, because of its own requisites"
    if not ret.get("__state_ran__", True):
        return "not run"
    if ret["result"] is None:
        return "would change"
    return "changed" if ret["changes"] else "no changes"

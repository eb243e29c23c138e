"""Verdict on a chunk's requisites, after all its dependencies have run.

The table from results and requisite kinds to verdicts is stock's.

Shapes: `requisite_verdict` takes {kind: [(low, state return), ...]} and returns a RequisiteVerdict.
For `prereq`, the return is that of the preview.
Source: conformance area `req`.
"""

from __future__ import annotations

import enum
from collections.abc import Iterable, Mapping

from salt_g.shapes import LowChunk, StateReturn

#: Returns of a chunk's targets, by kind of requisite.
Found = Mapping[str, Iterable[tuple[LowChunk, StateReturn]]]


class RequisiteVerdict(enum.Enum):
    """Decision about a chunk."""

    MET = "run"
    CHANGE = "run, then mod_watch"
    FAIL = "fail: a required state failed"
    SKIP_REQUISITES = "skip: a target suppresses its triggers"
    SKIP_WATCH = "run, without mod_watch"
    NO_PREVIEW_CHANGES = "skip: the prereq target would not change"
    ONFAIL_QUIET = "skip: no onfail target failed"
    ONCHANGES_QUIET = "skip: no onchanges target changed"


def requisite_verdict(found: Found) -> RequisiteVerdict:
    """Return the verdict on all requisites of a chunk; a chunk without requisites runs."""
    outcomes: set[str] = set()
    for kind, targets in found.items():
        outcomes |= _outcomes_of_kind(
            kind, {outcome for _, ret in targets for outcome in outcomes_of(kind, ret)}
        )
    return _verdict_of(outcomes)


def failed_targets(found: Found) -> list[str]:
    """Return `sls.id` of every failed target of any kind, without duplicates."""
    return list(
        dict.fromkeys(
            f"{low.get('__sls__')}.{low['__id__']}"
            for targets in found.values()
            for low, ret in targets
            if ret["result"] is False
        )
    )


def _verdict_of(outcomes: set[str]) -> RequisiteVerdict:
    """Return the verdict for a set of outcomes."""
    if "fail" in outcomes:
        return RequisiteVerdict.FAIL
    if "skip" in outcomes and outcomes & {"onchanges met", "preview changes"}:
        return RequisiteVerdict.SKIP_REQUISITES
    if "skip" in outcomes and "change" in outcomes:
        return RequisiteVerdict.SKIP_WATCH
    if "preview quiet" in outcomes:
        return RequisiteVerdict.MET if "preview changes" in outcomes else RequisiteVerdict.NO_PREVIEW_CHANGES
    if "onfail quiet" in outcomes and "onchanges met" not in outcomes:
        return RequisiteVerdict.ONFAIL_QUIET
    if "onchanges quiet" in outcomes and "onchanges met" not in outcomes:
        return RequisiteVerdict.ONCHANGES_QUIET
    if "change" in outcomes:
        return RequisiteVerdict.CHANGE
    return RequisiteVerdict.ONFAIL_QUIET if "onfail quiet" in outcomes else RequisiteVerdict.MET


def outcomes_of(kind: str, ret: StateReturn) -> set[str]:
    """Return the outcomes of one target's return for this kind of requisite."""
    skip = {"skip"} if ret.get("skip_req") else set()
    base = kind.removesuffix("_any").removesuffix("_all")
    if base == "onchanges":
        # As a trigger, a failed target counts like one without changes, and not as a failure.
        return skip | {
            "onchanges met" if ret["changes"] and ret["result"] is not False else "onchanges quiet"
        }
    if base == "onfail":
        return skip | ({"onfail quiet"} if ret["result"] is True else _met(ret))
    if ret["result"] is False:
        return skip | {"fail"}
    if base == "prereq":
        return skip | {"preview changes" if ret["result"] is None else "preview quiet"}
    if base == "watch" and ret["changes"]:
        return skip | {"change"}
    return skip | _met(ret)


def _met(ret: StateReturn) -> set[str]:
    return {"met"} if ret.get("__state_ran__", True) else set()


def _outcomes_of_kind(kind: str, outcomes: set[str]) -> set[str]:
    """Return the combined outcomes of a kind.

    For `*_any` and `onfail`, one met target is enough; for `onfail_all`, one that did not fail is decisive.
    """
    if kind.endswith("_any") or kind == "onfail":
        if outcomes & {"met", "change"}:
            outcomes -= {"fail"}
        if "onchanges met" in outcomes:
            outcomes -= {"onchanges quiet", "fail"}
        if "met" in outcomes:
            outcomes -= {"onfail quiet"}
    elif kind == "onfail_all" and "onfail quiet" in outcomes:
        outcomes -= {"met"}
    return outcomes

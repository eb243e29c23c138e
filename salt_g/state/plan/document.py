"""Plan of one minion: made from a test run, signed, and checked before it is applied.

Errors: PlanRefused with the reason for a plan that is expired, edited, or of another machine, format or
version; CommandExecutionError for a plan that is too large.
"""

from __future__ import annotations

import json
import time
from collections.abc import Mapping, Sequence
from typing import Any

import salt_g
from salt_g.errors import CommandExecutionError, PlanRefused
from salt_g.process.secret_hiding import hide
from salt_g.shapes import LowChunk, LowTag, Running, StateReturn
from salt_g.shapes.plans import PlanDocument, PlannedChunk
from salt_g.state.plan.digests import Digests
from salt_g.state.plan.summaries import HIDDEN, OPAQUE, WOULD_CHANGE, full_text, opaque, summary, verdict_of

#: Format version of documents; documents of another version are refused.
FORM = 2
#: Time during which a plan can be applied (s).
LIFETIME = 24 * 3600
#: Maximum size of a document (bytes).
MAX_BYTES = 16 << 20
#: Maximum number of parts of a chunk's changes that are compared one by one; with more, the changes are
#: compared as a whole.
MAX_LEAVES = 2000


def make_document(
    digests: Digests,
    *,
    plan: str,
    id: str,
    lows: Mapping[str, LowChunk],
    running: Running,
    hidden: Mapping[str, StateReturn],
    after: Mapping[str, Sequence[str]],
    pillar: Mapping[str, Any],
    files: Mapping[str, str],
) -> PlanDocument:
    """Return the signed plan of a test run.

    `lows` has the compiled chunks by tag, `hidden` the unmasked returns of chunks with `no_log`, `after` the
    tags of the chunks on which the changes of a chunk depend.
    """
    made = int(time.time())
    document: PlanDocument = {
        "form": FORM,
        "version": salt_g.__version__,
        "plan": plan,
        "id": id,
        "made": made,
        "until": made + LIFETIME,
        "pillar": pillar_digests(digests, pillar),
        "files": {hide(url): digests.of(url, found) for url, found in sorted(files.items())},
        "chunks": [
            chunk_of(digests, tag, lows.get(tag), hidden.get(tag, ret), after=after.get(tag, ()))
            for tag, ret in running.items()
        ],
        "mac": "",
    }
    document["mac"] = digests.signature(document)
    size = len(json.dumps(document))
    if size > MAX_BYTES:
        raise CommandExecutionError(
            f"the plan has {size >> 20} MiB, the limit is {MAX_BYTES >> 20} MiB: plan fewer states at once"
        )
    return document


def chunk_of(
    digests: Digests, tag: str, low: LowChunk | None, ret: StateReturn, *, after: Sequence[str] = ()
) -> PlannedChunk:
    """Return the planned effect of a chunk; `after` has the tags of its dependencies, oldest first."""
    parts = LowTag.parse(tag)
    is_hidden = low is not None and low.get("no_log") and low["state"] in OPAQUE
    name = HIDDEN if is_hidden else hide(parts.name)
    leaves = digests.leaves(ret["changes"])
    return {
        "key": digests.of(tag),
        "id": hide(parts.id),
        "fun": f"{parts.state}.{parts.fun}",
        "name": name,
        "low": "" if low is None else digests.of(low),
        "outcome": digests.of(ret["result"], ret["changes"], "" if _has_details(ret) else ret["comment"]),
        "verdict": verdict_of(ret),
        "leaves": leaves if len(leaves) <= MAX_LEAVES else None,
        "shown": summary(ret, low, after=LowTag.parse(after[-1]).id if after else ""),
        "text": full_text(ret, low),
        "opaque": opaque(ret, low, name),
        "after": [digests.of(one) for one in after],
    }


def _has_details(ret: StateReturn) -> bool:
    """Return whether a return says exactly what would change; if not, only its comment says something."""
    return WOULD_CHANGE not in ret["changes"] and (bool(ret["changes"]) or ret["result"] is not None)


def pillar_digests(digests: Digests, pillar: Mapping[str, Any]) -> dict[str, str]:
    """Return the digest of each top-level key of pillar."""
    return {hide(str(key)): digests.of(str(key), value) for key, value in pillar.items()}


def check(document: PlanDocument, digests: Digests, *, id: str, now: float | None = None) -> None:
    """Raise PlanRefused if a plan cannot be applied on this machine now, whatever its states are."""
    made_by = document.get("version")
    if document.get("form") != FORM or made_by != salt_g.__version__:
        raise PlanRefused(
            f"{id}: not applied, the plan was made by salt-g {made_by}, this is {salt_g.__version__}:"
            " make the plan again"
        )
    if not digests.is_signed(document):
        raise PlanRefused(
            f"{id}: not applied, the plan was not made by this machine, or was edited: make the plan again"
        )
    if document["id"] != id:
        raise PlanRefused(f"{id}: not applied, the plan was made for {document['id']}")
    if (time.time() if now is None else now) > document["until"]:
        raise PlanRefused(f"{id}: not applied, the plan expired at {clock(document['until'])}; make it again")


def clock(moment: float) -> str:
    """Return a time as text for users: the time of day, with the date if it is not today."""
    then, now = time.localtime(moment), time.localtime()
    return time.strftime("%H:%M" if then[:3] == now[:3] else "%Y-%m-%d %H:%M", then)

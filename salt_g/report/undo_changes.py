"""Changes made by `state.undo`, as rows of a history.

An undo deliberately reverts paths and services, which then no longer match the last run of their states. When
these states make changes the next time, the changes are therefore not drift.
Shapes: the return of an undo is `UndoReply`; all others are as in `state_changes.py`.
"""

from __future__ import annotations

import bisect
import hashlib
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from salt_g.report.state_changes import (
    MOST,
    NO_DIGEST,
    SIZE,
    Cause,
    RunChanges,
    StateChange,
    author_of,
    chunk_digest,
    stored_name,
    text_of_changes,
    time_of,
)
from salt_g.shapes import LowTag

FUNCTION = "state.undo"


def undone_job(load: Mapping[str, Any]) -> str:
    """Return the jid of the job that an undo reverted; '' for a test run or another function's return."""
    ret = load.get("return")
    if load.get("fun") != FUNCTION or not isinstance(ret, dict) or ret.get("test"):
        return ""
    jid = ret.get("jid")
    return jid if isinstance(jid, str) else ""


def changes_of_undo(
    jid: str,
    minion: str,
    load: Mapping[str, Any],
    before: Mapping[bytes, bytes] | None,
    undone: Iterable[StateChange],
) -> RunChanges:
    """Return the changes of an undo; `before` are the minion's digests, `undone` the reverted changes."""
    ret = load["return"]
    text, _, _ = text_of_changes({"undo": undone_job(load)})
    digest = hashlib.blake2b(text.encode(errors="replace"), digest_size=SIZE).digest()
    at, who, id = time_of(jid), author_of(load), stored_name(f"undo of {undone_job(load)}")
    names = [name for key in ("restored", "services") for name in _texts(ret.get(key))]
    rows = [
        StateChange(jid, minion, number, at, id, name, FUNCTION, Cause.INTENDED, 0, who, None, None, digest)
        for number, name in enumerate(names[:MOST])
    ]
    digests = dict(before or {})
    paths = sorted(_texts(ret.get("restored")))
    named = {*paths, *_texts(ret.get("services"))}
    for one in undone:
        if one.name not in named and not _has_below(paths, one.name):
            # This change could not be undone, or was left in place.
            continue
        state, _, fun = one.fun.partition(".")
        chunk = chunk_digest(LowTag(state, one.id, one.name, fun))
        if chunk in digests:
            # The chunk stays known, with a digest that no run can match.
            digests[chunk] = NO_DIGEST
    return RunChanges(rows, {digest: text} if rows else {}, digests, 0.0)


def _has_below(paths: Sequence[str], directory: str) -> bool:
    """Return whether any of these sorted paths is below a directory."""
    top = f"{directory.rstrip('/')}/"
    place = bisect.bisect_left(paths, top)
    return place < len(paths) and paths[place].startswith(top)


def _texts(value: Any) -> list[str]:
    return [stored_name(one) for one in value] if isinstance(value, (list, tuple)) else []

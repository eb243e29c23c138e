"""Short and full descriptions of a state's changes, for those who read or approve a plan.

All text is redacted, and the changes of a state with `no_log` are not shown.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from salt_g.process.secret_hiding import hide
from salt_g.shapes import LowChunk, StateReturn
from salt_g.state.plan.digests import changed_lines, is_diff

#: Maximum length of a summary, and of the text of a state's changes (characters).
MAX_SUMMARY, MAX_TEXT = 160, 8192
#: Verdicts on a chunk of a plan.
CHANGE, SAME, FAILS = "change", "same", "fails"
#: State modules that cannot report changes in test mode, because they run what the user wrote.
OPAQUE = frozenset(("cmd", "module", "salt"))
#: Text shown for a state with `no_log`.
HIDDEN = "(no_log)"
#: Key in the changes of a state that would change something without reporting what.
WOULD_CHANGE = "would change"
#: Changes of a state that would change something only because of other states.
AFTERWARDS = {WOULD_CHANGE: "after others"}
#: Maximum length of an ID in a summary (characters).
_MAX_ID = 40


def verdict_of(ret: Mapping[str, Any]) -> str:
    """Return the verdict on a chunk's return in test mode: `change`, `same` or `fails`."""
    if ret["result"] is False:
        return FAILS
    return CHANGE if ret["result"] is None or ret["changes"] else SAME


def known_after(id: str, ret: StateReturn) -> str:
    """Return the comment of a chunk whose changes are known only after another one has run."""
    return f"Known only after {id} has run; now: {_first_line(ret['comment']) or 'nothing'}"


def summary(ret: StateReturn, low: LowChunk | None, *, after: str = "") -> str:
    """Describe the changes of a chunk in a few words; `after` is the ID of a chunk on which they depend."""
    verdict = verdict_of(ret)
    if verdict == SAME:
        return "nothing"
    if low is not None and low.get("no_log"):
        return HIDDEN
    if verdict == FAILS:
        return _short(f"fails: {_first_line(ret.get('comment'))}")
    changes = {key: value for key, value in ret["changes"].items() if key != WOULD_CHANGE}
    if low is not None and low["state"] in OPAQUE:
        return _short(_first_line(ret.get("comment")) or "runs")
    text = _described(changes) if changes else _first_line(ret.get("comment")) or "changes"
    suffix = f", may differ after {hide(after)[:_MAX_ID]}" if after and ret["changes"] != AFTERWARDS else ""
    return _short(text, MAX_SUMMARY - len(suffix)) + suffix


def full_text(ret: StateReturn, low: LowChunk | None) -> str:
    """Return the diffs of the changes, or the changes as JSON if too long for the summary; else ''."""
    if not ret["changes"] or (low is not None and low.get("no_log")):
        return ""
    diffs = list(_diffs(ret["changes"]))
    text = "\n".join(diffs) if diffs else json.dumps(ret["changes"], indent=1, sort_keys=True, default=str)
    if not diffs and len(text) <= MAX_SUMMARY:
        return ""
    text = hide(text)
    return text if len(text) <= MAX_TEXT else f"{text[:MAX_TEXT]}\n… ({len(text)} characters)"


def opaque(ret: StateReturn, low: LowChunk | None, name: str) -> str:
    """Return what an opaque state would run or call; '' for others, and without the verdict `change`."""
    state = low["state"] if low is not None else ""
    if state not in OPAQUE or verdict_of(ret) != CHANGE:
        return ""
    return _short(f"{'runs' if state == 'cmd' else 'calls'} {name}")


def _described(changes: Mapping[str, Any]) -> str:
    diffs = list(_diffs(changes))
    parts = [_counted(diffs)] if diffs else []
    for key, value in changes.items():
        if isinstance(value, Mapping) and set(value) == {"old", "new"}:
            parts.append(f"{key} {value['old'] or 'none'}→{value['new'] or 'none'}")
        elif key == "newfile" or (key == "new" and str(value).startswith("/")):
            parts.append("new file")
        elif isinstance(value, Mapping) and not list(_diffs(value)):
            parts.append(f"{key} {_pairs(value)}".strip())
        elif not list(_diffs({key: value})):
            parts.append(f"{key}: {value}" if isinstance(value, (str, int)) else str(key))
    return ", ".join(parts)


def _pairs(changes: Mapping[str, Any]) -> str:
    return " ".join(f"{key}={value}" for key, value in changes.items() if isinstance(value, (str, int)))


def _counted(diffs: list[str]) -> str:
    lines = [line for diff in diffs for line in changed_lines(diff)]
    added = sum(line.startswith("+") for line in lines)
    return f"+{added} -{len(lines) - added}"


def _diffs(value: Any) -> Iterator[str]:
    if isinstance(value, str) and is_diff(value):
        yield value
    elif isinstance(value, Mapping):
        for item in value.values():
            yield from _diffs(item)


def _first_line(text: Any) -> str:
    return next(iter(str(text or "").splitlines()), "")


def _short(text: str, most: int = MAX_SUMMARY) -> str:
    text = hide(text.replace("\n", " "))
    return text if len(text) <= most else f"{text[: most - 1]}…"

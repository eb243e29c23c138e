"""Changes in the return of a state run, as rows of a history.

Shapes: a return is the stored map {return, fun, fun_args?, user?, schedule?, low_digests?, ...}; for a job of
several functions, `low_digests` concatenates the digests of its state runs, `run_length` digests for each
run. `digests` of a minion are {8-byte digest of a chunk's tag: 8-byte digest of what the chunk wanted}. A
text is a diff, or other changes as JSON.
Units: `at` in seconds since the epoch.
"""

from __future__ import annotations

import enum
import hashlib
import json
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from salt_g.data import jid as jids
from salt_g.shapes import LowTag

#: Size of a digest (bytes); special digests of `state/run/low_digests.py`: for a chunk that ran because other
#: chunks changed, and for a chunk without a digest.
SIZE = 8
FOLLOWS, NO_DIGEST = b"\xff" * SIZE, bytes(SIZE)
#: Maximum length of a text, of an id or a name (characters), and maximum number of changes of one run.
MAX_TEXT, MAX_NAME, MOST = 65_536, 1000, 20_000
#: Highest accepted number of a chunk in its run, and in a job of several runs; minions can send any number.
MAX_NUMBER, MOST_NUMBER = 1_000_000, (1 << 31) - 1
#: Maximum number of chunks whose digests are kept per minion.
MOST_CHUNKS = 20_000
#: Functions that run or test a minion's states; the other functions of the module show or stop states.
_RUNS = frozenset(
    f"state.{name}"
    for name in (
        *("apply", "highstate", "sls", "sls_id", "single", "high", "low", "top", "template", "template_str"),
        *("pkg", "test", "apply_plan"),
    )
)
#: Prefixes of states that act and do not describe how something should be, so their changes are never
#: corrective.
_ACTS = ("cmd.", "module.", "event.", "test.", "salt.", "saltmod.")


class Cause(enum.IntEnum):
    """Cause of a change: unknown, intended by the tree, or corrective after a change from elsewhere."""

    UNKNOWN = 0
    INTENDED = 1
    CORRECTIVE = 2


class StateChange(NamedTuple):
    """A changed state of a run; `added` and `removed` count the lines of a diff."""

    jid: str
    minion: str
    number: int
    at: float
    id: str
    name: str
    fun: str
    cause: int
    is_test: int
    who: str
    added: int | None
    removed: int | None
    text: bytes


class RunChanges(NamedTuple):
    """Changes of a run, their texts by digest, the minion's digests after the run, and the time of the run.

    The time is 0.0 for a function that runs no states.
    """

    rows: list[StateChange]
    texts: dict[bytes, str]
    digests: dict[bytes, bytes]
    at: float


def is_state_run(fun: Any) -> bool:
    """Return whether a function of `state` is called, alone or in a list of functions."""
    if isinstance(fun, (list, tuple)):
        return any(isinstance(name, str) and name.startswith("state.") for name in fun)
    return isinstance(fun, str) and fun.startswith("state.")


def run_length(ret: Any) -> int:
    """Return the number of chunks in a state run, including chunks that its return omits."""
    return max((_number(entry, -1) for _, entry in _entries(ret)), default=-1) + 1


def changes_of(
    jid: str, minion: str, load: Mapping[str, Any], before: Mapping[bytes, bytes] | None
) -> RunChanges:
    """Return the changes of a state run; `before` are the minion's previous digests, or None."""
    at, who = time_of(jid), author_of(load)
    digests = dict(before or {})
    rows: list[StateChange] = []
    texts: dict[bytes, str] = {}
    packed = load.get("low_digests")
    packed = packed if isinstance(packed, bytes) else b""
    for tag, entry, number in _numbered(load):
        now = packed[number * SIZE : (number + 1) * SIZE]
        fun, chunk = stored_name(f"{tag.state}.{tag.fun}"), chunk_digest(tag)
        changes = entry.get("changes")
        if changes and len(rows) < MOST:
            cause = _cause(fun, now, before, digests.get(chunk))
            text, added, removed = text_of_changes(changes)
            digest = hashlib.blake2b(text.encode(errors="replace"), digest_size=SIZE).digest()
            texts[digest] = text
            names = stored_name(tag.id), stored_name(entry.get("name") or tag.name)
            is_test = int(entry.get("result") is None)
            rows.append(
                StateChange(jid, minion, number, at, *names, fun, cause, is_test, who, added, removed, digest)
            )
        # Record no digest of a state that failed or ran in test mode: it is not as intended yet, so a change
        # by the next run counts as intended, not as corrective.
        if entry.get("result") is True and len(now) == SIZE and now not in (FOLLOWS, NO_DIGEST):
            digests.pop(chunk, None)
            digests[chunk] = now
    return RunChanges(rows, texts, _newest(digests), at if _has_run(load) else 0.0)


def _cause(fun: str, now: bytes, before: Mapping[bytes, bytes] | None, earlier: bytes | None) -> Cause:
    if len(now) != SIZE or now == NO_DIGEST:
        return Cause.UNKNOWN
    if now == FOLLOWS or fun.startswith(_ACTS):
        return Cause.INTENDED
    if before is None:
        return Cause.UNKNOWN
    return Cause.CORRECTIVE if now == earlier else Cause.INTENDED


def _numbered(load: Mapping[str, Any]) -> Iterator[tuple[LowTag, Mapping[str, Any], int]]:
    """Yield (tag, result, number) of each chunk; numbers continue across the state runs of a job."""
    first = 0
    for ret in _runs(load.get("fun"), load.get("return")):
        for place, (tag, entry) in enumerate(_entries(ret)):
            yield tag, entry, min(first + _number(entry, place), MOST_NUMBER)
        first += run_length(ret)


def _has_run(load: Mapping[str, Any]) -> bool:
    """Return whether a return comes from running or testing states; such a return can be empty."""
    fun, ret = load.get("fun"), load.get("return")
    names = fun if isinstance(fun, (list, tuple)) else [fun]
    return isinstance(ret, (dict, list)) and any(isinstance(one, str) and one in _RUNS for one in names)


def _runs(fun: Any, ret: Any) -> list[Any]:
    """Return the returns of a job's state runs; a job of several functions has them by name or as a list."""
    if not isinstance(fun, (list, tuple)):
        return [ret]
    if isinstance(ret, dict):
        return [one for name, one in ret.items() if is_state_run(name)]
    returns = ret if isinstance(ret, (list, tuple)) else ()
    return [one for name, one in zip(fun, returns, strict=False) if is_state_run(name)]


def _number(entry: Mapping[str, Any], default: int) -> int:
    """Return the number of a chunk in its run, or `default` if it is missing or invalid."""
    number = entry.get("__run_num__")
    if not isinstance(number, int) or isinstance(number, bool):
        return default
    return number if 0 <= number < MAX_NUMBER else default


def _entries(ret: Any) -> Iterator[tuple[LowTag, Mapping[str, Any]]]:
    for key, entry in ret.items() if isinstance(ret, dict) else ():
        try:
            tag = LowTag.parse(str(key))
        except ValueError:
            continue
        if isinstance(entry, dict):
            yield tag, entry


def text_of_changes(changes: Any) -> tuple[str, int | None, int | None]:
    """Return the text of changes, and the numbers of added and removed lines if it is a diff."""
    diff = changes.get("diff") if isinstance(changes, dict) else None
    if isinstance(diff, str) and "\n" in diff:
        lines = diff.splitlines()
        added = sum(line.startswith("+") and not line.startswith("+++") for line in lines)
        removed = sum(line.startswith("-") and not line.startswith("---") for line in lines)
        return diff[:MAX_TEXT], added, removed
    return _json(changes)[:MAX_TEXT], None, None


def author_of(load: Mapping[str, Any]) -> str:
    """Return the user who started a job, or `schedule` for a job of the schedule."""
    if load.get("schedule"):
        return "schedule"
    return stored_name(load.get("user") or "")[:256]


def stored_name(value: Any) -> str:
    """Return a name that every database accepts: of limited length, without NUL or unpaired surrogates."""
    text = value[:MAX_NAME] if isinstance(value, str) else _json(value)[:MAX_NAME]
    return text.encode(errors="replace").decode().replace("\0", "\ufffd")


def _json(value: Any) -> str:
    """Return nested data as text, even with keys that JSON does not support or that cannot be sorted."""
    try:
        return json.dumps(value, default=str, sort_keys=True, ensure_ascii=False)
    except TypeError:
        return repr(value)


def time_of(jid: str) -> float:
    """Return the time at which a job began, or 0.0 if its jid is not a time."""
    try:
        return jids.microseconds(jid) / 1e6
    except ValueError:
        return 0.0


def chunk_digest(tag: LowTag) -> bytes:
    """Return the digest that identifies a chunk."""
    return hashlib.blake2b(str(tag).encode(errors="replace"), digest_size=SIZE).digest()


def _newest(digests: dict[bytes, bytes]) -> dict[bytes, bytes]:
    if len(digests) <= MOST_CHUNKS:
        return digests
    return dict(list(digests.items())[-MOST_CHUNKS:])

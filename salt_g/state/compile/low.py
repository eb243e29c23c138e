"""Conversion of high data to low chunks, one flat dict per call.

Shapes: a chunk's keys are in the order state, name, `__sls__`, `__env__`, `__sls_included_from__`, `__id__`,
arguments as written, fun. The chunk of an entry of `names` carries `name_order`, the entry's position from
1, until `order.py` has added it to the order.
"""

from __future__ import annotations

import fnmatch
from collections.abc import Hashable, Iterable, Iterator, Sequence
from typing import Any, cast

from salt_g.shapes import Arguments, LowChunk
from salt_g.shapes.high_data import Declaration, HighData
from salt_g.state.compile.verify import verified
from salt_g.state.compile.vocabulary import declared_modules, is_internal

#: Keys of an ID's body that are copied to each of its chunks.
INHERITED = ("__sls__", "__env__", "__sls_included_from__")

#: Arguments with special rules, see `_add_arguments`.
_SPECIAL = frozenset(("name", "names", "state", "fun", "__id__", *INHERITED))


def compile_low(
    high: HighData, *, orchestration_jid: str | None = None, disabled: Sequence[str] = ()
) -> list[LowChunk]:
    """Return the chunks of verified high data; `disabled` are patterns of `module.function`."""
    chunks: list[LowChunk] = []
    for state_id, body in verified(high).items():
        if not is_internal(state_id):
            for module, arguments in declared_modules(body):
                chunks += _chunks(_start(state_id, module, body, orchestration_jid), arguments)
    return [chunk for chunk in chunks if not is_disabled(chunk, disabled)] if disabled else chunks


def is_disabled(chunk: LowChunk, disabled: Iterable[str]) -> bool:
    """Return whether `state.disable` disabled a chunk's function."""
    return any(fnmatch.fnmatch(f"{chunk['state']}.{chunk['fun']}", pattern) for pattern in disabled)


def _start(state_id: str, module: str, body: Declaration, orchestration_jid: str | None) -> Arguments:
    chunk: Arguments = {"state": module, "name": state_id}
    if orchestration_jid is not None:
        chunk["__orchestration_jid__"] = orchestration_jid
    for key in INHERITED:
        if key in body:
            chunk[key] = body[key]
    chunk["__id__"] = state_id
    return chunk


def _chunks(chunk: Arguments, arguments: list[Any]) -> list[LowChunk]:
    names: list[Any] = []
    function = None
    for item in arguments:
        if isinstance(item, str):
            function = item
        elif isinstance(item, dict):
            names += _add_arguments(chunk, item)
    if function is None:
        return []
    if not names:
        chunk["fun"] = function
        return [cast("LowChunk", chunk)]
    return [
        cast("LowChunk", {**chunk, **_named(entry), "name_order": place, "fun": function})
        for place, entry in enumerate(_without_repeats(names), 1)
    ]


def _add_arguments(chunk: Arguments, item: Arguments) -> list[Any]:
    """Copy the arguments of an item into a chunk; return its `names`."""
    names: list[Any] = []
    for key, value in item.items():
        if key not in _SPECIAL:
            chunk[key] = value
        elif key == "names":
            names += value or []
        elif key == "name" and not isinstance(value, str):
            # As in stock, the ID replaces a name that is not text.
            chunk["name"] = chunk["__id__"]
        elif _may_set(key, value):
            chunk[key] = value
    return names


def _may_set(key: str, value: Any) -> bool:
    """Return whether an argument may be copied into the chunk.

    `state` and `fun` may not; keys of the compiler, such as `__id__`, may if the value is text.
    """
    return key not in ("state", "fun") and (key not in ("__id__", *INHERITED) or isinstance(value, str))


def _named(entry: Any) -> Arguments:
    """Return the arguments set by an entry of `names`: name, and overrides if it is {name: [overrides]}."""
    if not isinstance(entry, dict):
        return {"name": entry}
    name, overrides = next(iter(entry.items()))
    merged = {"name": name}
    for override in overrides or []:
        merged.update(
            {key: value for key, value in override.items() if key == "name" or _may_set(key, value)}
        )
    if not isinstance(merged["name"], Hashable):
        merged["name"] = name
    return merged


def _without_repeats(names: list[Any]) -> Iterator[Any]:
    seen = set()
    for entry in names:
        mark = repr(entry) if isinstance(entry, (dict, list)) else entry
        if mark not in seen:
            seen.add(mark)
            yield entry

"""State runs of a minion and its resources merged into one, with resource ids before the names.

`salt-g call --resources` and outputters merge separate runs for display; masters split merged runs that come
from other programs.
Shapes: running dicts in, one running dict out. `state_|-id_|-name_|-fun` of resource `r` becomes `state_|-r
id_|-r name_|-fun`; the values are unchanged except `__run_num__`, which continues counting.
Source: resources specification, section 11.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from salt_g.shapes import LowTag, StateReturn, is_low_tag


def merge_state_runs(own: Any, of_resources: Mapping[str, Any]) -> dict[str, Any]:
    """Merge the running dicts of the minion (ignored unless a mapping) and its resources into one."""
    block: dict[str, Any] = dict(own) if isinstance(own, Mapping) else {}
    number = 1 + max((_number(entry) for entry in block.values()), default=-1)
    for id, running in of_resources.items():
        entries = _entries(id, running)
        for tag, entry in sorted(entries.items(), key=lambda item: _number(item[1])):
            block[tag] = {**entry, "__run_num__": number}
            number += 1
    return block


def split_state_runs(
    block: Mapping[Any, Any], is_resource: Callable[[str], bool]
) -> tuple[dict[Any, Any], dict[str, Any]]:
    """Split a merged run into (the minion's own part, {id: running dict or error text}).

    `is_resource` returns whether an id before the names is one of the targeted resources.
    """
    own: dict[Any, Any] = {}
    found: dict[str, Any] = {}
    for tag, entry in sorted(block.items(), key=lambda item: _number(item[1])):
        id, plain = _split_tag(str(tag))
        if not id or not is_resource(id):
            own[tag] = entry
        elif plain:
            running = found.setdefault(id, {})
            if isinstance(running, dict):
                running[plain] = _renumbered(entry, len(running))
        else:
            found[id] = str(entry.get("comment", "")) if isinstance(entry, Mapping) else str(entry)
    return own, found


def _renumbered(entry: Any, number: int) -> Any:
    return {**entry, "__run_num__": number} if isinstance(entry, Mapping) else entry


def _split_tag(tag: str) -> tuple[str, str]:
    """Split a tag into (resource id or '', tag without the id); the latter is '' for a failed run."""
    if not is_low_tag(tag):
        return "", ""
    chunk = LowTag.parse(tag)
    if (chunk.state, chunk.fun) == ("no", "None") and chunk.id == chunk.name and " " not in chunk.name:
        return chunk.name, ""
    id, _, rest = chunk.id.partition(" ")
    if not rest or not chunk.name.startswith(f"{id} "):
        return "", ""
    return id, str(chunk._replace(id=rest, name=chunk.name[len(id) + 1 :]))


def _entries(id: str, running: Any) -> dict[str, StateReturn]:
    """Return the entries of one resource; a run that failed as a whole is one entry."""
    if not isinstance(running, Mapping) or not running:
        text = "\n".join(map(str, running)) if isinstance(running, (list, tuple)) else str(running)
        return {_tag_of(id): {"result": False, "comment": text, "name": id, "changes": {}}}
    return {_prefixed(id, str(tag)): _entry(id, entry) for tag, entry in running.items()}


def _prefixed(id: str, tag: str) -> str:
    if not is_low_tag(tag):
        return _tag_of(id)
    chunk = LowTag.parse(tag)
    return str(chunk._replace(id=f"{id} {chunk.id}", name=f"{id} {chunk.name}"))


def _entry(id: str, entry: Any) -> StateReturn:
    if isinstance(entry, Mapping):
        kept: Any = dict(entry)
        ret: StateReturn = kept
        return ret
    return {"result": True, "comment": str(entry), "name": f"[{id}]", "changes": {}}


def _tag_of(id: str) -> str:
    return str(LowTag("no", id, id, "None"))


def _number(entry: Any) -> int:
    number = entry.get("__run_num__", 0) if isinstance(entry, Mapping) else 0
    return number if isinstance(number, int) else 0

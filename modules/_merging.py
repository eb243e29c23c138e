"""Merging of mappings for `slsutil` and `defaults`: in place, or by a strategy into a new mapping."""

from __future__ import annotations

import copy
from collections.abc import Mapping, MutableMapping
from typing import Any


def update_in_place(dest: Any, upd: Any, *, recursive: bool = True, merge_lists: bool = False) -> Any:
    """Update `dest` with `upd` and return it; raise TypeError unless both are mappings.

    If `recursive`, nested mappings are merged key by key and, with `merge_lists`, lists are joined without
    duplicates; everything else is replaced.
    """
    if not isinstance(dest, MutableMapping) or not isinstance(upd, Mapping):
        raise TypeError("Cannot update using non-dict types in dictupdate.update()")
    for key, value in upd.items():
        dest[key] = _merged(dest.get(key), value, merge_lists) if recursive else value
    return dest


def merge_by(strategy: str, base: Any, over: Any, *, merge_lists: bool = False) -> Any:
    """Return a new mapping merged by one of stock's strategies: recurse, aggregate, overwrite, list, none.

    `recurse` and `none` merge nested mappings, `aggregate` merges only the first level, `overwrite` replaces
    the values of shared keys, `list` pairs them and drops the keys that only `over` has. `merge_lists` has an
    effect on `recurse` only.
    """
    if strategy == "list":
        return {key: [value, over[key]] if key in over else value for key, value in base.items()}
    if strategy == "aggregate":
        return {**copy.deepcopy(base), **copy.deepcopy(over)}
    if strategy == "overwrite":
        base = {key: over.get(key, value) for key, value in base.items()}
    joins = merge_lists and strategy in ("recurse", "overwrite")
    return update_in_place(copy.deepcopy(base), over, merge_lists=joins)


def _merged(old: Any, new: Any, merge_lists: bool) -> Any:
    if isinstance(old, MutableMapping) and isinstance(new, Mapping):
        return update_in_place(old, new, merge_lists=merge_lists)
    if merge_lists and isinstance(old, list) and isinstance(new, list):
        joined = copy.deepcopy(old)
        joined.extend(item for item in new if item not in joined)
        return joined
    return new

"""Differences of nested data of any kind, in the form of stock's `salt.utils.data.recursive_diff`."""

import itertools
from collections import OrderedDict
from collections.abc import Iterable, Mapping
from typing import Any

#: Filler for missing items in the comparison with a longer mapping.
_NOTHING = object()


def recursive_diff(
    old: Any,
    new: Any,
    ignore_keys: Iterable[Any] | None = None,
    ignore_order: bool = False,
    ignore_missing_keys: bool = False,
) -> dict[str, Any]:
    """Return the differences at any depth as {"old": ..., "new": ...}, or {} for equal values.

    `ignore_keys` are left out, `ignore_order` compares lists as sets, and `ignore_missing_keys` leaves out
    keys that only `old` has. In OrderedDicts the keys at equal positions are compared, unless `ignore_order`.
    """
    more = (list(ignore_keys or ()), ignore_order, ignore_missing_keys)
    if isinstance(old, Mapping) and isinstance(new, Mapping):
        are_ordered = isinstance(old, OrderedDict) and isinstance(new, OrderedDict)
        if are_ordered and not ignore_order:
            return _ordered_diff(old, new, *more)
        return _mapping_diff(old, new, *more)
    if _is_set(old) and _is_set(new):
        return {"old": old - new, "new": new - old} if old != new else {}
    if _is_iterable(old) and _is_iterable(new):
        is_unordered = ignore_order or _is_set(old) or _is_set(new)
        return _list_diff(old, new, more[0], is_unordered, ignore_missing_keys)
    return {} if old == new else {"old": old, "new": new}


def _is_set(value: Any) -> bool:
    return isinstance(value, (set, frozenset))


def _is_iterable(value: Any) -> bool:
    return hasattr(value, "__iter__") and not isinstance(value, (str, Mapping))


def _mapping_diff(
    old: Mapping[Any, Any], new: Mapping[Any, Any], ignore_keys: list[Any], *more: bool
) -> dict[str, Any]:
    found: dict[str, dict[Any, Any]] = {"old": {}, "new": {}}
    for key in [*old, *(key for key in new if key not in old)]:
        if key in ignore_keys or (more[1] and key not in new):
            continue
        if key in old and key in new:
            below = recursive_diff(old[key], new[key], ignore_keys, *more)
        else:
            below = {"old": old[key]} if key in old else {"new": new[key]}
        for side, value in below.items():
            found[side][key] = value
    if not found["old"] and not found["new"]:
        return {}
    return {"old": found["old"], "new": {key: found["new"][key] for key in new if key in found["new"]}}


def _ordered_diff(
    old: Mapping[Any, Any], new: Mapping[Any, Any], ignore_keys: list[Any], *more: bool
) -> dict[str, Any]:
    found: dict[str, dict[Any, Any]] = {"old": OrderedDict(), "new": OrderedDict()}
    for one, other in itertools.zip_longest(old, new, fillvalue=_NOTHING):
        if one == other:
            below = {} if one in ignore_keys else recursive_diff(old[one], new[one], ignore_keys, *more)
            for side, value in below.items():
                found[side][one] = value
            continue
        for side, key, values in (("old", one, old), ("new", other, new)):
            if key is not _NOTHING and key not in ignore_keys:
                found[side][key] = values[key]
    return found if found["old"] or found["new"] else {}


def _list_diff(old: Any, new: Any, ignore_keys: list[Any], *more: bool) -> dict[str, Any]:
    before, after = list(old), list(new)
    if more[0]:
        found = {"old": [one for one in before if one not in after]}
        found["new"] = [one for one in after if one not in before]
    else:
        below = [recursive_diff(*pair, ignore_keys, *more) for pair in zip(before, after, strict=False)]
        rests = {"old": before[len(after) :], "new": after[len(before) :]}
        found = {side: [each[side] for each in below if side in each] + rest for side, rest in rests.items()}
    if not found["old"] and not found["new"]:
        return {}
    return {"old": _like(old, found["old"]), "new": _like(new, found["new"])}


def _like(model: Any, items: list[Any]) -> Any:
    """Return items as a tuple if the model is one, else as a list."""
    return tuple(items) if isinstance(model, tuple) else items

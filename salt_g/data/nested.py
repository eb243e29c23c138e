"""Traversal and merging of nested dicts and lists by stock's rules.

Source: stock's `traverse_dict_and_list`, `dictupdate`; conformance areas `pillar`, `top`.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any

#: Default separator of the parts of a path.
DELIMITER = ":"


def traverse(data: Any, path: str | int, default: Any = None, *, delimiter: str = DELIMITER) -> Any:
    """Return the value at `path`, or `default`.

    A top-level key that contains the delimiter takes precedence. In a list, a part is looked up in the list's
    mappings; if none has it and it is numeric, it is an index.
    """
    if isinstance(data, Mapping) and path in data:
        return data[path]
    for part in str(path).split(delimiter):
        data = _step(data, part)
        if data is _MISSING:
            return default
    return data


def merge_recursive(base: Any, over: Any, *, merge_lists: bool = False, copies: bool = True) -> Any:
    """Return `base` with `over` merged into it; neither argument is changed.

    Mappings merge key by key; everything else is replaced, except that lists are joined (without duplicates,
    order preserved) when `merge_lists` is set. Without `copies`, parts of `over` become parts of the result.
    """
    if isinstance(base, Mapping) and isinstance(over, Mapping):
        merged = base.copy() if isinstance(base, dict) else dict(base)
        for key, value in over.items():
            merged[key] = (
                merge_recursive(merged[key], value, merge_lists=merge_lists, copies=copies)
                if key in merged
                else (copy.deepcopy(value) if copies else value)
            )
        return merged
    if merge_lists and isinstance(base, list) and isinstance(over, list):
        return base + [item for item in over if item not in base]
    return copy.deepcopy(over) if copies else over


_MISSING = object()


def _step(data: Any, part: str) -> Any:
    if isinstance(data, Mapping):
        return _from_mapping(data, part)
    if isinstance(data, (list, tuple)):
        return _from_list(data, part)
    return _MISSING


def _from_mapping(data: Mapping[Any, Any], part: str) -> Any:
    value = data.get(part, _MISSING)
    if value is not _MISSING:
        return value
    # YAML reads keys that look like numbers as numbers, but a path is always text.
    number = _number(part)
    return data[number] if number is not None and number in data else _MISSING


def _from_list(data: list[Any] | tuple[Any, ...], part: str) -> Any:
    for item in data:
        if isinstance(item, Mapping) and part in item:
            return item[part]
    number = _number(part)
    return data[number] if number is not None and -len(data) <= number < len(data) else _MISSING


def _number(part: str) -> int | None:
    """Return a part of a path as an integer, or None for any other text (`--1`, `²`, too many digits)."""
    if not part.removeprefix("-").isdigit():
        return None
    try:
        return int(part)
    except ValueError:
        return None

"""Stock's `salt.utils.aggregation`: merging of values that are marked for it, or down to a depth."""

from collections import OrderedDict
from collections.abc import Mapping
from typing import Any

_Level = Any


class Aggregate:
    """Mark of a value that is merged with the existing value instead of replacing it."""


class Map(OrderedDict, Aggregate):  # type: ignore[type-arg]
    """A mapping that is merged key by key with another one."""


class Sequence(list, Aggregate):  # type: ignore[type-arg]
    """A list to which the items that it lacks are appended from another one."""


def Scalar(obj: Any) -> Sequence:
    """Return a mergeable list with one value."""
    return Sequence([obj])


def levelise(level: _Level) -> tuple[Any, Any]:
    """Return (whether this level is merged, `level` for the values below).

    `level` is a boolean for all levels, the number of levels, or a list with an entry for each level.
    """
    if not level:
        return False, False
    if level is True:
        return True, True
    if isinstance(level, int):
        return True, level - 1
    first, *rest = level
    return bool(first), rest


def mark(obj: Any, map_class: type[Map] = Map, sequence_class: type[Sequence] = Sequence) -> Any:
    """Return a value in mergeable form: a Map for a mapping, a Sequence for a list or a single value."""
    if isinstance(obj, Aggregate):
        return obj
    return map_class(obj) if isinstance(obj, Mapping) else sequence_class(_items(obj))


def aggregate(
    obj_a: Any,
    obj_b: Any,
    level: _Level = False,
    map_class: type[Map] = Map,
    sequence_class: type[Sequence] = Sequence,
) -> Any:
    """Return `obj_b` merged into `obj_a` where a mark or `level` asks for it, else `obj_b`."""
    deep, below = levelise(level)
    if deep:
        obj_a = mark(obj_a, map_class, sequence_class)
        obj_b = mark(obj_b, map_class, sequence_class)
    if isinstance(obj_a, Mapping) and isinstance(obj_b, Mapping):
        if not (isinstance(obj_a, Aggregate) and isinstance(obj_b, Aggregate)):
            return obj_b
        merged = map_class(obj_a)
        for key, value in obj_b.items():
            if key in obj_a:
                value = aggregate(obj_a[key], value, below, map_class, sequence_class)
            merged[key] = value
        return merged
    if isinstance(obj_a, Sequence) and isinstance(obj_b, Sequence):
        return sequence_class([*obj_a, *(item for item in obj_b if item not in obj_a)])
    return obj_b


def _items(obj: Any) -> list[Any]:
    return list(obj) if isinstance(obj, (list, tuple)) else [obj]


__all__ = ["Aggregate", "Map", "Scalar", "Sequence", "aggregate", "levelise", "mark"]

"""Filters for lists: sets, order, flattening, combining."""

from __future__ import annotations

import hashlib
import itertools
import random
from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import Any

from salt_g.render.jinja.undefined import strict

#: Values that `flatten` drops by default.
_NULLS = (None, "None", "null")


def unique(values: Any) -> Any:
    """Return the values without duplicates, in order; for text and tuples return a set."""
    if isinstance(values, Hashable):
        return set(values)  # type: ignore[call-overload]
    kept: list[Any] = []
    for value in values:
        if value not in kept:
            kept.append(value)
    return kept


def average(values: Any) -> float:
    """Return the average of a list, or a single number as a float."""
    return float(values) if isinstance(values, Hashable) else float(sum(values) / len(values))  # type: ignore[arg-type]


def union(lst1: Any, lst2: Any) -> Any:
    """Return the items that are in either list."""
    return set(lst1) | set(lst2) if _are_hashable(lst1, lst2) else unique(lst1 + lst2)


def intersect(lst1: Any, lst2: Any) -> Any:
    """Return the items that are in both lists."""
    if _are_hashable(lst1, lst2):
        return set(lst1) & set(lst2)
    return unique([item for item in lst1 if item in lst2])


def difference(lst1: Any, lst2: Any) -> Any:
    """Return the items of `lst1` that are not in `lst2`."""
    if _are_hashable(lst1, lst2):
        return set(lst1) - set(lst2)
    return unique([item for item in lst1 if item not in lst2])


def symmetric_difference(lst1: Any, lst2: Any) -> Any:
    """Return the items that are in only one of the two lists."""
    if _are_hashable(lst1, lst2):
        return set(lst1) ^ set(lst2)
    both = intersect(lst1, lst2)
    return unique([item for item in union(lst1, lst2) if item not in both])


def flatten(values: Iterable[Any], levels: int | None = None, preserve_nulls: bool = False) -> list[Any]:
    """Flatten nested lists by `levels` (None: all); nulls are dropped unless preserved."""
    return list(_flat(values, levels, preserve_nulls, ()))


def _flat(
    values: Iterable[Any], levels: int | None, keep_nulls: bool, above: tuple[int, ...]
) -> Iterable[Any]:
    if id(values) in above:
        raise RecursionError("Reference cycle detected. Check input list.")
    for value in values:
        if not keep_nulls and value in _NULLS:
            continue
        if not is_iter(value) or (levels is not None and levels < 1):
            yield value
            continue
        below = None if levels is None else levels - 1
        yield from _flat(value, below, keep_nulls, (*above, id(values)))


def is_iter(value: Any, ignore: Any = (str,)) -> bool:
    """Return whether the value can be iterated; text does not count."""
    if ignore and isinstance(value, ignore):
        return False
    try:
        iter(value)
    except TypeError:
        return False
    return True


def exactly_n_true(values: Iterable[Any], amount: int = 1) -> bool:
    """Return whether exactly `amount` of the values are true."""
    return sum(1 for value in values if value) == amount


def compare_lists(old: Sequence[Any] = (), new: Sequence[Any] = ()) -> dict[str, list[Any]]:
    """Return {'new': items only in `new`, 'old': items only in `old`}, without empty lists."""
    found = {
        "new": [item for item in new if item not in old],
        "old": [item for item in old if item not in new],
    }
    return {name: items for name, items in found.items() if items}


def sequence(value: Any) -> Any:
    """Return a collection unchanged, any other value as a list of one."""
    return value if isinstance(value, (list, tuple, set, dict)) else [value]


def random_sample(values: Sequence[Any], size: int, seed: Any = None) -> list[Any]:
    """Return `size` values in random order, the same as in stock for the same seed."""
    if seed is None:
        return random.sample(values, size)
    return random.Random(hashlib.sha512(str(seed).encode()).hexdigest()).sample(values, size)


def random_shuffle(values: Sequence[Any], seed: Any = None) -> list[Any]:
    """Return the values in random order, identical for the same seed."""
    return random_sample(values, len(values), seed)


def _are_hashable(first: Any, second: Any) -> bool:
    return isinstance(first, Hashable) and isinstance(second, Hashable)


FILTERS: dict[str, Callable[..., Any]] = {
    "unique": unique,
    "min": lambda values: min(values),
    "max": lambda values: max(values),
    "avg": average,
    "union": union,
    "intersect": intersect,
    "difference": difference,
    "symmetric_difference": symmetric_difference,
    "flatten": flatten,
    "sorted_ignorecase": lambda values: sorted(values, key=str.lower),
    "is_list": lambda value: isinstance(value, list),
    "is_iter": is_iter,
    "exactly_n_true": exactly_n_true,
    "exactly_one_true": exactly_n_true,
    "compare_lists": compare_lists,
    "sequence": sequence,
    "combinations": strict(itertools.combinations),
    "combinations_with_replacement": strict(itertools.combinations_with_replacement),
    "permutations": strict(itertools.permutations),
    "product": strict(itertools.product),
    "zip": strict(zip),
    "zip_longest": strict(itertools.zip_longest),
    "compress": strict(itertools.compress),
}
VOLATILE: dict[str, Callable[..., Any]] = {"random_sample": random_sample, "random_shuffle": random_shuffle}

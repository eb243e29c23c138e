"""Stock's `salt.utils.data`."""

from collections.abc import Iterable, Mapping
from typing import Any

from salt_g.data.nested import traverse


def traverse_dict_and_list(
    data: Any, key: str, default: Any = None, delimiter: str = ":", ordered_dict_type: Any = None
) -> Any:
    """Return the value at a path such as `a:b:0`."""
    return traverse(data, key, default, delimiter=delimiter)


def traverse_dict(data: Any, key: str, default: Any = None, delimiter: str = ":") -> Any:
    """Return the value at a path of keys."""
    return traverse(data, key, default, delimiter=delimiter)


def is_true(value: Any = None) -> bool:
    """Return whether a value is true: a number above 0, or the text `true` or `True`."""
    if isinstance(value, (int, float)):
        return value > 0
    return value.lower() == "true" if isinstance(value, str) else bool(value)


def compare_dicts(
    old: Mapping[Any, Any] | None = None, new: Mapping[Any, Any] | None = None
) -> dict[Any, Any]:
    """Return {key: {"old", "new"}} of the differences; '' means a missing key."""
    old, new = old or {}, new or {}
    return {
        key: {"old": old.get(key, ""), "new": new.get(key, "")}
        for key in {**new, **old}
        if key not in old or key not in new or old[key] != new[key]
    }


def repack_dictlist(data: Any, **stock: Any) -> dict[Any, Any]:
    """Return one mapping from a list of texts and of mappings with one key."""
    packed: dict[Any, Any] = {}
    for item in data:
        packed.update(item if isinstance(item, Mapping) else {item: None})
    return packed


def decode(data: Any, encoding: str = "utf-8", **stock: Any) -> Any:
    """Return data with bytes decoded to text, at every depth."""
    if isinstance(data, bytes):
        return data.decode(encoding, "replace")
    if isinstance(data, Mapping):
        return {decode(key, encoding): decode(value, encoding) for key, value in data.items()}
    if isinstance(data, (list, tuple)):
        return type(data)(decode(value, encoding) for value in data)
    return data


def encode(data: Any, encoding: str = "utf-8", **stock: Any) -> Any:
    """Return data with text encoded to bytes, at every depth."""
    if isinstance(data, str):
        return data.encode(encoding)
    if isinstance(data, Mapping):
        return {encode(key, encoding): encode(value, encoding) for key, value in data.items()}
    if isinstance(data, (list, tuple)):
        return type(data)(encode(value, encoding) for value in data)
    return data


def is_iter(thing: Any, ignore: Any = (str,)) -> bool:
    """Return whether a value can be iterated over and is not a text."""
    return hasattr(thing, "__iter__") and not isinstance(thing, ignore)


def is_list(value: Any) -> bool:
    """Return whether a value is a list."""
    return isinstance(value, list)


def is_dictlist(data: Any) -> bool:
    """Return whether a value is a list of mappings with one key, and not empty."""
    if not isinstance(data, list) or not data:
        return False
    return all(isinstance(item, Mapping) and len(item) == 1 for item in data)


def mysql_to_dict(data: Any, key: str) -> dict[Any, Any]:
    """Return the rows of a table printed by mysql, by the column `key`."""
    lines = [line for line in data if line.startswith("|")]
    rows = [[cell.strip() for cell in line.strip().strip("|").split("|")] for line in lines]
    if not rows:
        return {}
    return {row[key]: row for row in (dict(zip(rows[0], cells, strict=False)) for cells in rows[1:])}


def filter_falsey(data: Any, recurse_depth: int | None = None, ignore_types: Any = ()) -> Any:
    """Return a mapping or list without its false values, to a depth (None: everywhere)."""
    below = None if recurse_depth is None else recurse_depth - 1

    def kept(value: Any) -> Any:
        return value if below is not None and below < 0 else filter_falsey(value, below, ignore_types)

    if isinstance(data, Mapping):
        pairs = ((key, kept(value)) for key, value in data.items())
        return {key: value for key, value in pairs if value or type(value) in ignore_types}
    if isinstance(data, list):
        return [value for value in map(kept, data) if value or type(value) in ignore_types]
    return data


def exactly_n(iterable: Iterable[Any], amount: int = 1) -> bool:
    """Return whether that many items are true."""
    return sum(map(bool, iterable)) == amount


def exactly_one(iterable: Iterable[Any]) -> bool:
    """Return whether one item is true and all others are not."""
    return exactly_n(iterable)


def recursive_diff(
    old: Any,
    new: Any,
    ignore_keys: Iterable[Any] | None = None,
    ignore_order: bool = False,
    ignore_missing_keys: bool = False,
) -> dict[str, Any]:
    """Return {"old": ..., "new": ...} with what differs at any depth, or {} for equal values.

    `ignore_keys` are left out, `ignore_order` compares lists as sets, and `ignore_missing_keys` leaves out
    keys that only `old` has.
    """
    more = (list(ignore_keys or ()), ignore_order, ignore_missing_keys)
    if isinstance(old, Mapping) and isinstance(new, Mapping):
        return _mapping_diff(old, new, *more)
    if isinstance(old, (set, frozenset)) and isinstance(new, (set, frozenset)):
        return {"old": old - new, "new": new - old} if old != new else {}
    if is_iter(old) and is_iter(new):
        return _list_diff(list(old), list(new), *more)
    return {} if old == new else {"old": old, "new": new}


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
    return found if found["old"] or found["new"] else {}


def _list_diff(old: list[Any], new: list[Any], ignore_keys: list[Any], *more: bool) -> dict[str, Any]:
    if more[0]:
        pairs = [(one, None) for one in old if one not in new] + [
            (None, one) for one in new if one not in old
        ]
        found = {"old": [one for one, _ in pairs if one is not None]}
        found["new"] = [one for _, one in pairs if one is not None]
        return found if pairs else {}
    found = {"old": old[len(new) :], "new": new[len(old) :]}
    below = [recursive_diff(*pair, ignore_keys, *more) for pair in zip(old, new, strict=False)]
    for side, rest in found.items():
        found[side] = [each[side] for each in below if side in each] + rest
    return found if found["old"] or found["new"] else {}


def get_value(obj: Any, path: str, default: Any = None) -> list[dict[str, Any]]:
    """Return the values at a path such as `a:{name}:b`, as {"value": ..., "name": key that stands there}."""
    head, _, rest = path.partition(":")
    if head.startswith("{") and head.endswith("}"):
        found = []
        for key, value in obj.items() if isinstance(obj, Mapping) else enumerate(obj):
            below = get_value(value, rest, default) if rest else [{"value": value}]
            found += [{**each, head[1:-1]: key} for each in below]
        return found
    if not isinstance(obj, Mapping) or head not in obj:
        return [{"value": default}]
    return get_value(obj[head], rest, default) if rest else [{"value": obj[head]}]


decode_dict = decode_list = decode

__all__ = ["compare_dicts", "decode", "decode_dict", "decode_list", "encode", "exactly_n", "exactly_one"]
__all__ += ["filter_falsey", "get_value", "is_dictlist", "recursive_diff"]
__all__ += ["is_iter", "is_list", "is_true", "mysql_to_dict", "repack_dictlist", "traverse_dict"]
__all__ += ["traverse_dict_and_list"]

"""Stock's `salt.utils.data`."""

from collections.abc import Mapping
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


decode_dict = decode_list = decode

__all__ = ["compare_dicts", "decode", "decode_dict", "decode_list", "encode", "filter_falsey", "is_dictlist"]
__all__ += ["is_iter", "is_list", "is_true", "mysql_to_dict", "repack_dictlist", "traverse_dict"]
__all__ += ["traverse_dict_and_list"]

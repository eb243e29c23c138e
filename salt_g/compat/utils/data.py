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


__all__ = ["compare_dicts", "decode", "is_true", "repack_dictlist", "traverse_dict", "traverse_dict_and_list"]

"""Stock's `salt.utils.dictupdate`."""

from typing import Any

from salt_g.data.nested import DELIMITER, merge_recursive


def update(dest: Any, upd: Any, recursive_update: bool = True, merge_lists: bool = False) -> Any:
    """Merge `upd` into `dest` in place, and return it."""
    merged = merge_recursive(dest, upd, merge_lists=merge_lists) if recursive_update else {**dest, **upd}
    dest.clear()
    dest.update(merged)
    return dest


def merge(obj_a: Any, obj_b: Any, **options: Any) -> Any:
    """Return both merged, without changing either."""
    return merge_recursive(obj_a, obj_b, merge_lists=bool(options.get("merge_lists")))


def ensure_dict_key(in_dict: Any, keys: str, delimiter: str = DELIMITER, **stock: Any) -> Any:
    """Make the mappings of a path such as `a:b` where they are missing."""
    _place(in_dict, f"{keys}{delimiter}", delimiter)
    return in_dict


def set_dict_key_value(in_dict: Any, keys: str, value: Any, delimiter: str = DELIMITER, **stock: Any) -> Any:
    """Set the value at a path."""
    place, last = _place(in_dict, keys, delimiter)
    place[last] = value
    return in_dict


def update_dict_key_value(
    in_dict: Any, keys: str, value: Any, delimiter: str = DELIMITER, **stock: Any
) -> Any:
    """Update the mapping at a path."""
    place, last = _place(in_dict, keys, delimiter)
    place.setdefault(last, {}).update(value)
    return in_dict


def append_dict_key_value(
    in_dict: Any, keys: str, value: Any, delimiter: str = DELIMITER, **stock: Any
) -> Any:
    """Append to the list at a path."""
    return extend_dict_key_value(in_dict, keys, [value], delimiter)


def extend_dict_key_value(
    in_dict: Any, keys: str, value: Any, delimiter: str = DELIMITER, **stock: Any
) -> Any:
    """Extend the list at a path."""
    place, last = _place(in_dict, keys, delimiter)
    place.setdefault(last, []).extend(value)
    return in_dict


def _place(in_dict: Any, keys: str, delimiter: str) -> tuple[Any, str]:
    """Return the mapping that holds the last key of a path, which is made, and that key."""
    *parents, last = keys.split(delimiter)
    for key in parents:
        in_dict = in_dict.setdefault(key, {})
    return in_dict, last


merge_recurse = merge

__all__ = ["append_dict_key_value", "ensure_dict_key", "extend_dict_key_value", "merge", "merge_recurse"]
__all__ += ["set_dict_key_value", "update", "update_dict_key_value"]

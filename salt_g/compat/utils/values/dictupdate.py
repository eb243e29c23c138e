"""Stock's `salt.utils.dictupdate`: merging of mappings."""

from collections.abc import Mapping
from typing import Any

from salt_g.data.nested import DELIMITER, merge_recursive
from salt_g.pillar.merging import Merging
from salt_g.render.jinja.filters.dicts import append_value as append_dict_key_value
from salt_g.render.jinja.filters.dicts import extend_value as extend_dict_key_value
from salt_g.render.jinja.filters.dicts import set_value as set_dict_key_value
from salt_g.render.jinja.filters.dicts import update_value as update_dict_key_value


def update(
    dest: Any, upd: Any, recursive_update: bool = True, merge_lists: bool = False, strict: bool = False
) -> Any:
    """Merge `upd` into `dest` in place, and return `dest`.

    Raise TypeError if either is not a mapping or, with `strict`, if a mapping would replace a list.
    """
    if not isinstance(dest, Mapping) or not isinstance(upd, Mapping):
        raise TypeError("Cannot update using non-dict types in dictupdate.update()")
    if strict:
        _check_lists(dest, upd)
    merged = merge_recursive(dest, upd, merge_lists=merge_lists) if recursive_update else {**dest, **upd}
    dest.clear()  # type: ignore[attr-defined]
    dest.update(merged)  # type: ignore[attr-defined]
    return dest


def merge(
    obj_a: Any, obj_b: Any, strategy: str = "smart", renderer: str = "yaml", merge_lists: bool = False
) -> Any:
    """Return `obj_b` merged into a copy of `obj_a`; for `strategy` see `pillar_source_merging_strategy`."""
    how = {
        "pillar_source_merging_strategy": strategy,
        "renderer": renderer,
        "pillar_merge_lists": merge_lists,
    }
    return Merging.from_opts(how).merge(obj_a, obj_b)


def merge_recurse(obj_a: Any, obj_b: Any, merge_lists: bool = False) -> Any:
    """Return `obj_b` merged recursively into a copy of `obj_a`."""
    return merge_recursive(obj_a, obj_b, merge_lists=merge_lists)


def merge_list(obj_a: Any, obj_b: Any) -> Any:
    """Return a copy of `obj_a`; for each key that is also in `obj_b`, the value is a list of both values."""
    return Merging("list").merge(obj_a, obj_b)


def merge_overwrite(obj_a: Any, obj_b: Any, merge_lists: bool = False) -> Any:
    """Return a copy of `obj_a` in which the keys of `obj_b` replace existing keys."""
    return Merging("overwrite", merge_lists).merge(obj_a, obj_b)


def merge_aggregate(obj_a: Any, obj_b: Any) -> Any:
    """Return both merged as their yamlex marks say."""
    return Merging("aggregate").merge(obj_a, obj_b)


def ensure_dict_key(in_dict: Any, keys: str, delimiter: str = DELIMITER, ordered_dict: bool = False) -> Any:
    """Create missing mappings along a path such as `a:b`; values that are not mappings are replaced."""
    place = in_dict
    for key in keys.split(delimiter):
        if not isinstance(place.get(key), Mapping):
            place[key] = {}
        place = place[key]
    return in_dict


def _check_lists(dest: Mapping[Any, Any], upd: Mapping[Any, Any]) -> None:
    for key, value in upd.items():
        before = dest.get(key)
        if isinstance(before, list) and isinstance(value, Mapping):
            raise TypeError(f"the list {key!r} cannot be updated with a mapping")
        if isinstance(before, Mapping) and isinstance(value, Mapping):
            _check_lists(before, value)


__all__ = ["append_dict_key_value", "ensure_dict_key", "extend_dict_key_value", "merge", "merge_aggregate"]
__all__ += ["merge_list", "merge_overwrite", "merge_recurse", "set_dict_key_value", "update"]
__all__ += ["update_dict_key_value"]

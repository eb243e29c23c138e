"""Stock's `salt.utils.dictupdate`."""

from typing import Any

from salt_g.data.nested import merge_recursive


def update(dest: Any, upd: Any, recursive_update: bool = True, merge_lists: bool = False) -> Any:
    """Merge `upd` into `dest` in place, and return it."""
    merged = merge_recursive(dest, upd, merge_lists=merge_lists) if recursive_update else {**dest, **upd}
    dest.clear()
    dest.update(merged)
    return dest


def merge(obj_a: Any, obj_b: Any, **options: Any) -> Any:
    """Return both merged, without changing either."""
    return merge_recursive(obj_a, obj_b, merge_lists=bool(options.get("merge_lists")))


__all__ = ["merge", "update"]

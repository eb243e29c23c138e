"""Values chosen from a table by a grain or pillar value, as in maps of formulas."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any

from salt_g.data.nested import merge_recursive, traverse
from salt_g.errors import SaltGError


def choose(
    table: Mapping[Any, Any],
    facts: Mapping[str, Any],
    path: str,
    *,
    merge: Mapping[str, Any] | None = None,
    default: str = "default",
    base: str | None = None,
) -> Any:
    """Return the value of `table` whose key, a glob, matches the value at `path` in `facts`.

    If the value at `path` is a list, its items are matched in turn. Without a match, the value of the key
    that `default` names is returned. `base` names a key whose mapping provides defaults, `merge` is a mapping
    that overrides the result. Raises SaltGError if a value to merge is not a mapping.
    """
    found = _fitting(table, traverse(facts, path, []))
    if found is None:
        found = table.get(default)
    if base and base in table:
        found = _over_base(table[base], found)
    if not merge:
        return found
    if not isinstance(merge, Mapping):
        raise SaltGError("filter_by merge argument must be a dictionary.")
    return merge if found is None else _merge_into(found, merge)


def _fitting(table: Mapping[Any, Any], fact: Any) -> Any:
    import fnmatch  # Imported lazily: used only here.

    for value in fact if isinstance(fact, list) else [fact]:
        for key, chosen in table.items():
            if fnmatch.fnmatchcase(str(value), str(key)):
                if chosen is not None:
                    return chosen
                break
    return None


def _over_base(base: Any, found: Any) -> Any:
    if found is None:
        return base
    if not isinstance(base, Mapping):
        return found
    if not isinstance(found, Mapping):
        raise SaltGError("filter_by default and look-up values must both be dictionaries.")
    return merge_recursive(base, found)


def _merge_into(found: Any, merge: Mapping[str, Any]) -> Any:
    # The looked-up mapping itself changes: templates rely on it when they look up twice.
    merged = merge_recursive(found, copy.deepcopy(dict(merge)))
    if isinstance(found, dict):
        found.clear()
        found.update(merged)
        return found
    return merged

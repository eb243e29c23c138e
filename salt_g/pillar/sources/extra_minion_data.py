"""External pillar `extra_minion_data_in_pillar`: data that a minion sends with its pillar request.

A minion chooses the data it sends (`pass_to_ext_pillars`), so secrets must not depend on it.

    ext_pillar:
      - extra_minion_data_in_pillar:
          include: ['key1', 'key2:subkey2']
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from salt_g.data.nested import DELIMITER, merge_recursive
from salt_g.shapes import PillarDict

_ALL = ("*", "<all>")


def extra_minion_data_in_pillar(
    minion_id: str,
    pillar: PillarDict,
    include: str | Iterable[str],
    extra_minion_data: Mapping[str, Any] | None = None,
) -> PillarDict:
    """Return the values named by `include` (`*` and `<all>`: everything); `:` separates nested keys."""
    data = dict(extra_minion_data or {})
    if include in _ALL:
        return data
    chosen: PillarDict = {}
    for key in [include] if isinstance(include, str) else include:
        chosen = merge_recursive(chosen, _part(data, str(key).split(DELIMITER)))
    return chosen


def _part(data: Any, path: list[str]) -> PillarDict:
    """Return the value at a path, inside its parent mappings; {} if it does not exist."""
    key, *rest = path
    if not isinstance(data, Mapping) or key not in data:
        return {}
    if not rest:
        return {key: data[key]}
    below = _part(data[key], rest)
    return {key: below} if below else {}

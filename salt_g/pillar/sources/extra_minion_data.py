"""External pillar `extra_minion_data_in_pillar`: what a minion passes on with its question for pillar.

A minion chooses what it passes on (`pass_to_ext_pillars`), so nothing of it may decide about secrets.

    ext_pillar:
      - extra_minion_data_in_pillar:
          include: ['key1', 'key2:subkey2']
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from salt_g.data.nested import DELIMITER, merge_recursive

_ALL = ("*", "<all>")


def extra_minion_data_in_pillar(
    minion_id: str,
    pillar: dict[str, Any],
    include: str | Iterable[str],
    extra_minion_data: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """Return what `include` names (`*` and `<all>`: everything); `:` steps into maps."""
    data = dict(extra_minion_data or {})
    if include in _ALL:
        return data
    chosen: dict[str, Any] = {}
    for key in [include] if isinstance(include, str) else include:
        chosen = merge_recursive(chosen, _part(data, str(key).split(DELIMITER)))
    return chosen


def _part(data: Any, path: list[str]) -> dict[str, Any]:
    """Return the one value that a path leads to, in the maps above it; {} when it leads nowhere."""
    key, *rest = path
    if not isinstance(data, Mapping) or key not in data:
        return {}
    if not rest:
        return {key: data[key]}
    below = _part(data[key], rest)
    return {key: below} if below else {}

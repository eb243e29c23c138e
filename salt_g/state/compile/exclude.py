"""Exclusion of states from high data.

Shapes: an exclusion is an SLS pattern, {sls: pattern} or {id: name}; others have no effect.
"""

from __future__ import annotations

import fnmatch
from collections.abc import Iterable
from typing import Any

from salt_g.shapes.high_data import HighData
from salt_g.state.compile.vocabulary import is_internal


def apply_exclude(high: HighData) -> None:
    """Remove the excluded states from the declarations; requisites on these states then dangle."""
    excluded = high.exclusions
    if not excluded:
        return
    patterns = excluded_sls(excluded)
    ids = [item["id"] for item in excluded if isinstance(item, dict) and len(item) == 1 and "id" in item]
    ids += [
        state_id for state_id, body in high.declarations.items() if _is_excluded(body, state_id, patterns)
    ]
    for state_id in ids:
        if isinstance(state_id, str):
            high.declarations.pop(state_id, None)


def excluded_sls(excluded: Iterable[object]) -> list[str]:
    """Return the SLS names and patterns of exclusions."""
    names = [
        item if isinstance(item, str) else item.get("sls")
        for item in excluded
        if isinstance(item, (str, dict))
    ]
    return [name for name in names if name and isinstance(name, str)]


def _is_excluded(body: Any, state_id: Any, patterns: list[str]) -> bool:
    sls = body.get("__sls__") if isinstance(body, dict) and not is_internal(state_id) else None
    return bool(sls) and any(fnmatch.fnmatch(sls, pattern) for pattern in patterns)

"""Target type of a top file's target.

Shapes: the items below a target in a top file: texts are SLS, mappings are options; the last `{"match":
type}` counts, the default is `compound`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

DEFAULT_TYPE = "compound"


def target_type(items: Iterable[Any]) -> str:
    """Return the target type set by the items below a target."""
    chosen = DEFAULT_TYPE
    for item in items:
        if isinstance(item, Mapping) and "match" in item:
            chosen = str(item["match"])
    return chosen

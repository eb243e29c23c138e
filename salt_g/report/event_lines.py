"""Events as lines of text.

Shared by the runner `state.event` and by the command line, which follows a bus directly.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any


def event_line(tag: str, data: Mapping[str, Any], *, pretty: bool) -> str:
    """Return `TAG<tab>JSON`; with `pretty` the JSON is indented and sorted."""
    text = json.dumps(data, sort_keys=pretty, indent=4 if pretty else None, default=_as_text)
    return f"{tag}\t{text}"


def _as_text(value: Any) -> str:
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else repr(value)

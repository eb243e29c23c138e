"""Events as lines of text: what `state.event` prints and which tags it means.

Why its own file: the runner and the command line that follows a bus itself print alike.
"""

from __future__ import annotations

import fnmatch
import json
import re
from collections.abc import Mapping
from typing import Any


def is_meant(tag: str, tagmatch: str) -> bool:
    """Return whether a glob or a whole regular expression means a tag."""
    if fnmatch.fnmatch(tag, tagmatch):
        return True
    try:
        return re.fullmatch(tagmatch, tag) is not None
    except re.error:
        return False


def event_line(tag: str, data: Mapping[str, Any], *, pretty: bool) -> str:
    """Return `TAG<tab>JSON`, the JSON spread over lines and sorted when `pretty`."""
    text = json.dumps(data, sort_keys=pretty, indent=4 if pretty else None, default=_as_text)
    return f"{tag}\t{text}"


def _as_text(value: Any) -> str:
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else repr(value)

"""Outputter: JSON. The file is not named `json.py`, which would look like Python's module of that name."""

from __future__ import annotations

import json
from collections import UserString
from collections.abc import Mapping
from typing import Any

#: Default indentation of one level (columns).
_INDENT = 4


def output(data: Any, opts: Mapping[str, Any], *, retcode: int = 0) -> str:
    """Return `data` as JSON; `output_indent` is a number of columns, -1 (one line) or `pretty` (sorted).

    Values without a JSON form are written as their `repr`; a key without one makes the whole output `{}`.
    """
    asked = opts.get("output_indent")
    pretty = asked == "pretty"
    indent = _INDENT if pretty or not isinstance(asked, int) else asked
    try:
        return json.dumps(
            data,
            default=_as_json,
            ensure_ascii=False,
            indent=indent if indent >= 0 else None,
            sort_keys=pretty,
        )
    except TypeError:
        return "{}"


def _as_json(value: Any) -> str:
    # Stock's `__env__`, which users' states return, is a UserString.
    return str(value) if isinstance(value, UserString) else repr(value)

"""Outputter `pprint`: data as formatted by Python's `pprint`."""

from __future__ import annotations

import pprint
from collections.abc import Mapping
from typing import Any

from salt_g.formats.ordered import unmarked


def output(data: Any, opts: Mapping[str, Any], *, retcode: int = 0) -> str:
    """Return `data` as formatted by `pprint`, indented by `output_indent` columns."""
    indent = opts.get("output_indent")
    if isinstance(data, Exception):
        data = str(data)
    return pprint.pformat(unmarked(data), indent=indent if isinstance(indent, int) and indent >= 0 else 1)

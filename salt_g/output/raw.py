"""Outputter: data as Python's `str` on one line."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from salt_g.formats.ordered import unmarked


def output(data: Any, opts: Mapping[str, Any], *, retcode: int = 0) -> str:
    """Return `str(data)`."""
    return str(unmarked(data))

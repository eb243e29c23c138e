"""Conversion of mount options, which users give as a text or a list."""

from __future__ import annotations

from typing import Any


def option_list(opts: Any) -> list[str]:
    """Return options as a list."""
    return opts.split(",") if isinstance(opts, str) else [str(each) for each in opts or []]

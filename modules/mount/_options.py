"""Options of a mount, which users give as a text or as a list."""

from __future__ import annotations

from typing import Any


def option_list(opts: Any) -> list[str]:
    """Return options as a list."""
    return opts.split(",") if isinstance(opts, str) else [str(each) for each in opts or []]

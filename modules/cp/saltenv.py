"""The file environment of a `cp` call."""

from __future__ import annotations

from salt_g.api import opts


def chosen(saltenv: str | None) -> str:
    """Return the environment of the caller, else of the settings; `base` by default."""
    return saltenv or opts.get("saltenv") or "base"

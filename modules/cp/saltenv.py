"""The file environment of a call of `cp`."""

from __future__ import annotations

from salt_g.api import opts


def chosen(saltenv: str | None) -> str:
    """Return the environment that the caller, else the settings, name; `base` by default."""
    return saltenv or opts.get("saltenv") or "base"

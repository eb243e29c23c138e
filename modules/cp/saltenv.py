"""The file environment of a `cp` call."""

from __future__ import annotations

from salt_g.api import opts


def chosen(saltenv: str | None) -> str:
    """Return the given environment, else the one in the settings, else `base`."""
    return saltenv or opts.get("saltenv") or "base"

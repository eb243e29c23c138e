"""Stock's `salt.utils.color`: escape sequences of colours."""

from typing import Any

from salt_g.formats import ansi


def get_colors(use: Any = True, theme: str | None = None) -> dict[str, str]:
    """Return {NAME: escape sequence}; empty texts for False, all of one colour for its name.

    `theme` is a YAML file with codes by name.
    """
    return dict(ansi.palette(use, theme))


def get_color_theme(theme: str) -> dict[str, str]:
    """Return the escape sequences with those of a theme's file."""
    return get_colors(theme=theme)


__all__ = ["get_color_theme", "get_colors"]

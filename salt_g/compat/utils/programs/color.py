"""Stock's `salt.utils.color`: escape sequences of colours."""

from typing import Any

from salt_g.formats import ansi


def get_colors(use: Any = True, theme: str | None = None) -> dict[str, str]:
    """Return {NAME: escape sequence}, all empty if `use` is false, all of one colour if `use` names it.

    `theme` is a YAML file that maps names to codes.
    """
    return dict(ansi.palette(use, theme))


def get_color_theme(theme: str) -> dict[str, str]:
    """Return {NAME: escape sequence} with the colours of a theme file."""
    return get_colors(theme=theme)


__all__ = ["get_color_theme", "get_colors"]

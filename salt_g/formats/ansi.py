"""Colour names and their terminal codes, and what to do with control characters in text.

Why its own file: outputters and the console log colour with the same names, and both print
text that others wrote.
Source: stock's palette; every code begins with a reset (`0;`), bold makes the light ones.
"""

from __future__ import annotations

from collections.abc import Mapping

#: {colour name: what stands between ESC [ and m}
CODES = {
    "BLACK": "0;30",
    "DARK_GRAY": "0;1;30",
    "RED": "0;31",
    "LIGHT_RED": "0;1;31",
    "GREEN": "0;32",
    "LIGHT_GREEN": "0;1;32",
    "YELLOW": "0;33",
    "LIGHT_YELLOW": "0;1;33",
    "BLUE": "0;34",
    "LIGHT_BLUE": "0;1;34",
    "MAGENTA": "0;35",
    "LIGHT_MAGENTA": "0;1;35",
    "CYAN": "0;36",
    "LIGHT_CYAN": "0;1;36",
    "LIGHT_GRAY": "0;37",
    "WHITE": "0;1;37",
    "DEFAULT_COLOR": "0;39",
    "ENDC": "0;0",
}
#: The name that ends a colour.
END = "ENDC"
_PLAIN = dict.fromkeys(CODES, "")


def palette(use: object = True, theme: str | None = None) -> Mapping[str, str]:
    """Return {colour name: escape sequence}; all empty when `use` is false.

    `use` may be the name of one colour, which then stands for all. `theme` is the path of a
    YAML file that maps colour names to codes (`GREEN: "38;5;28"`); one that cannot be read
    changes nothing.
    """
    if not use:
        return _PLAIN
    codes = {**CODES, **(_read_theme(theme) if theme else {})}
    if isinstance(use, str) and use in codes:
        codes = {name: code if name == END else codes[use] for name, code in codes.items()}
    return {name: f"\033[{code}m" for name, code in codes.items()}


def without_escapes(text: str) -> str:
    """Return text that cannot steer the terminal: each ESC becomes `?`, as stock does."""
    return text.replace("\033", "?")


def _read_theme(path: str) -> dict[str, str]:
    from salt_g.errors import YamlError
    from salt_g.formats import yaml_load

    try:
        with open(path, encoding="utf-8") as file:
            codes = yaml_load.load(file.read(), name=path)
    except (OSError, UnicodeDecodeError, YamlError) as exc:
        import logging

        logging.getLogger(__name__).warning("color theme %s cannot be read: %s", path, exc)
        return {}
    return {str(name): str(code) for name, code in codes.items()} if isinstance(codes, dict) else {}

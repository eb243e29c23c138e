"""Colour names, their terminal codes, and removal of control characters from text of other hosts and users.

Source: stock's palette; every code begins with a reset (`0;`), light colours are the bold ones.
"""

from __future__ import annotations

from collections.abc import Mapping

#: {colour name: code between ESC [ and m}
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
#: Name of the code that resets colours.
END = "ENDC"
_PLAIN = dict.fromkeys(CODES, "")


def palette(use: object = True, theme: str | None = None) -> Mapping[str, str]:
    """Return {colour name: escape sequence}; all empty if `use` is false.

    `use` can be the name of one colour, which then replaces all others. `theme` is the path of a YAML file
    that maps colour names to codes (`GREEN: "38;5;28"`); an unreadable file is ignored.
    """
    if not use:
        return _PLAIN
    codes = {**CODES, **(_read_theme(theme) if theme else {})}
    if isinstance(use, str) and use in codes:
        codes = {name: code if name == END else codes[use] for name, code in codes.items()}
    return {name: f"\033[{code}m" for name, code in codes.items()}


def without_escapes(text: str) -> str:
    """Replace each ESC by `?`, as stock does, so that the text cannot control the terminal."""
    return text.replace("\033", "?")


def printable(line: str) -> str:
    """Replace control characters, with which the author of a line could hide or forge output."""
    return "".join(char if char.isprintable() or char == "\t" else "\ufffd" for char in line)


def _read_theme(path: str) -> dict[str, str]:
    from salt_g.errors import YamlError
    from salt_g.formats import yaml_load

    try:
        with open(path, encoding="utf-8") as file:
            codes = yaml_load.load(file.read(), name=path)
    except (OSError, UnicodeDecodeError, YamlError) as exc:
        import logging

        logging.getLogger(__name__).warning("cannot read color theme %s: %s", path, exc)
        return {}
    return {str(name): str(code) for name, code in codes.items()} if isinstance(codes, dict) else {}

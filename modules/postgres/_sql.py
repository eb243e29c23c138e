"""Names and values quoted for SQL text.

psql takes only text, so every name and value must be quoted.
"""

from __future__ import annotations


def name(text: str) -> str:
    """Return a quoted identifier, which may contain any character."""
    return '"' + str(text).replace('"', '""') + '"'


def value(text: object) -> str:
    """Return a quoted value."""
    return "'" + str(text).replace("'", "''") + "'"

"""Write names and values into SQL text.

Why its own file: psql takes text, so each name and value is quoted, in one way, here.
"""

from __future__ import annotations


def name(text: str) -> str:
    """Return a name of a thing, quoted, so that it may hold anything."""
    return '"' + str(text).replace('"', '""') + '"'


def value(text: object) -> str:
    """Return a value, quoted."""
    return "'" + str(text).replace("'", "''") + "'"

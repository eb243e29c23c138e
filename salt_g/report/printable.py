"""Text of minions and other users as a terminal shows it."""

from __future__ import annotations


def printable(line: str) -> str:
    """Return a line without control characters, by which its author could hide or forge what is printed."""
    return "".join(char if char.isprintable() or char == "\t" else "\ufffd" for char in line)
